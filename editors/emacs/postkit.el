;;; postkit.el --- HTTP requests in plain text, sent from Emacs  -*- lexical-binding: t -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: comm, tools, languages

;;; Commentary:

;; A mode for `.http' and `.rest' files.  The program `postkit' is their language server and sends
;; the requests; eglot speaks to it.  What a request is, and what its result says, is the server's
;; to know: this file only asks and draws.
;;
;; The Debian package puts it where Emacs looks; elsewhere its folder has to be in `load-path'.
;;   (require 'postkit)
;;
;; C-c C-c sends the request at point; the result stands behind its line, the response opens beside
;; it.  \\[describe-mode] lists the rest.

;;; Code:

(require 'cl-lib)
(require 'eglot)
(require 'project)
(require 'subr-x)
(require 'url-util)

(defgroup postkit nil "Sending HTTP requests." :group 'comm :prefix "postkit-")

(defcustom postkit-command '("postkit" "lsp")
  "The program that is the server, and its arguments."
  :type '(repeat string))

(defcustom postkit-shows-response t
  "Whether a response opens beside the request after each send."
  :type 'boolean)

(defcustom postkit-initialization-options nil
  "More of the server's `initializationOptions.postkit', as a property list.
With (:trusted t) requests may use files outside of their project, with
\(:trusted :json-false) they may not; else you are asked once for a folder."
  :type 'plist)

(defface postkit-good '((t :inherit success)) "A good answer.")
(defface postkit-bad '((t :inherit error)) "An answer of 400 and above, or a failure.")
(defface postkit-sending '((t :inherit shadow)) "A send under way.")

;;; The mode

(defvar postkit-font-lock
  `(("^###.*$" . font-lock-doc-face)
    ("^\\s-*\\(?:#\\|//\\)\\s-*\\(@[A-Za-z-]+\\)" 1 font-lock-preprocessor-face t)
    ("^\\s-*\\(?:#\\|//\\).*$" . font-lock-comment-face)
    ("^\\(@[^ =:]+\\)\\s-*[=:]" 1 font-lock-variable-name-face)
    ("^\\([A-Z]\\{3,\\}\\)\\s-+\\(\\S-+\\)"
     (1 font-lock-keyword-face) (2 font-lock-function-name-face))
    ("^\\([A-Za-z0-9-]+\\):" 1 font-lock-type-face)
    ("^\\(\\?\\?\\|<@?\\|>>!?\\|>\\|import\\|run\\)\\s-" 1 font-lock-preprocessor-face)
    ("{{[^}\n]*}}" 0 font-lock-variable-name-face t))
  "What is coloured before the server has said anything.")

(defvar postkit-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'postkit-send)
    (define-key map (kbd "C-c C-a") #'postkit-send-all)
    (define-key map (kbd "C-c C-k") #'postkit-cancel)
    (define-key map (kbd "C-c C-r") #'postkit-show-response)
    (define-key map (kbd "C-c C-d") #'postkit-compare)
    (define-key map (kbd "C-c C-e") #'postkit-select-environment)
    (define-key map (kbd "C-c C-h") #'postkit-history)
    (define-key map (kbd "C-c C-l") #'postkit-collections)
    (define-key map (kbd "C-c C-w") #'postkit-copy-as-curl)
    (define-key map (kbd "C-c C-y") #'postkit-copy-as)
    map)
  "Keys of request files.")

(defvar postkit--opens-response nil "Whether a file of the server's is being opened.")

;;;###autoload
(define-derived-mode postkit-mode prog-mode "HTTP"
  "Requests in plain text.

\\{postkit-mode-map}"
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "\\(?:#\\|//\\)\\s-*")
  (setq-local font-lock-defaults '(postkit-font-lock t))
  (setq-local outline-regexp "###")
  (when (and buffer-file-name (not postkit--opens-response))
    (if (executable-find (car postkit-command))
        (eglot-ensure)
      (message "PostKit: cannot find the program `%s'.  Install it, or name it in `postkit-command'"
               (car postkit-command)))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:http\\|rest\\)\\'" . postkit-mode))

;;; The server

(defclass postkit-server (eglot-lsp-server)
  ((status :initform nil :documentation "The last `postkit/status'.")
   (drawing :initform nil :documentation "The timer that draws results."))
  "A server that shows documents, asks for values and tells how it is.")

(add-to-list 'eglot-server-programs
             `(postkit-mode . ,(lambda (&rest _) (cons 'postkit-server postkit-command))))

(cl-defmethod eglot-client-capabilities ((_ postkit-server))
  "What eglot says, and what this file adds to it."
  (let ((all (copy-tree (cl-call-next-method))))
    (cl-flet ((add (path value)
                (setq all (postkit--with all path value))))
      (add '(:window :showDocument) '(:support t))
      (add '(:textDocument :inlayHint) '(:dynamicRegistration :json-false))
      (add '(:workspace :inlayHint) '(:refreshSupport t))
      (add '(:experimental :postkit) '(:version 1 :input t :status t :output t)))
    all))

(defun postkit--with (plist path value)
  "PLIST with VALUE at PATH."
  ;; An empty object of eglot's is a hash table.
  (plist-put (if (hash-table-p plist) nil plist) (car path)
             (if (cdr path)
                 (postkit--with (plist-get plist (car path)) (cdr path) value)
               value)))

(cl-defmethod eglot-initialization-options ((_ postkit-server))
  "What is set, under the server's name."
  (if postkit-initialization-options (list :postkit postkit-initialization-options) eglot--{}))

(cl-defmethod eglot-handle-request
  ((server postkit-server) (_method (eql window/showDocument)) &key uri external takeFocus
   &allow-other-keys)
  "Show URI of SERVER, in a browser if EXTERNAL, and select it if TAKEFOCUS."
  (if (eq external t)
      (browse-url uri)
    (run-at-time 0 nil #'postkit--display server uri (eq takeFocus t)))
  '(:success t))

(cl-defmethod eglot-handle-request
  ((_ postkit-server) (_method (eql postkit/input)) &key title kind default options
   &allow-other-keys)
  "Ask the user what a request needs."
  (condition-case nil
      (let ((prompt (concat title ": ")))
        (pcase kind
          ("confirm" (if (y-or-n-p (concat title " ")) '(:value "yes")))
          ("password" (list :value (read-passwd prompt)))
          ("select" (list :value (completing-read prompt (append options nil) nil t nil nil
                                                     default)))
          (_ (list :value (read-string prompt nil nil default)))))
    (quit nil)))

(cl-defmethod eglot-handle-notification
  ((server postkit-server) (_method (eql postkit/status)) &rest status)
  "Keep STATUS of SERVER for the mode line."
  (oset server status status)
  (force-mode-line-update t))

;; What scripts print, as `grep' shows its hits: RET on a line leads to the place.
(cl-defmethod eglot-handle-notification
  ((_server postkit-server) (_method (eql postkit/didPrint)) &key level text uri line
   &allow-other-keys)
  "Add what a script printed, TEXT with LEVEL at LINE of URI, to its buffer."
  (let ((path (eglot--uri-to-path uri)) (word (pcase level ("warn" "warning: ") ("error" "error: "))))
    (with-current-buffer (get-buffer-create "*PostKit output*")
      (unless (derived-mode-p 'compilation-mode) (compilation-mode "PostKit"))
      (let ((inhibit-read-only t))
        (save-excursion
          (goto-char (point-max))
          (insert (if line (format "%s:%d" path (1+ line)) path) ": " (or word "") text "\n"))))))

(cl-defmethod eglot-handle-request
  ((server postkit-server) (_method (eql workspace/inlayHint/refresh)) &rest _)
  "Have the results of all buffers of SERVER drawn anew."
  ;; When nothing else happens: what is sent while jsonrpc reads a message may run its filter
  ;; within itself, which loses its place in the stream.
  (when-let ((timer (oref server drawing))) (cancel-timer timer))
  (oset server drawing (run-with-idle-timer 0.05 nil #'postkit--draw-all server))
  nil)

(defun postkit--draw-all (server)
  "Draw the results of all buffers of SERVER."
  (dolist (buffer (eglot--managed-buffers server))
    (when (buffer-live-p buffer)
      (with-current-buffer buffer
        (when (eglot-managed-p) (postkit--draw))))))

(defun postkit--server ()
  "The server of the buffer, which has its text; an error says what to do."
  (let ((server (or (eglot-current-server)
                    (user-error "PostKit: no server runs here.  M-x eglot starts it"))))
    ;; Eglot tells of changes only when Emacs is idle.
    (when (eglot-managed-p) (eglot--signal-textDocument/didChange))
    server))

(defun postkit--environment ()
  "The environment of the buffer's folder, for the mode line."
  (let* ((server (eglot-current-server))
         (status (and (postkit-server-p server) (oref server status)))
         (name (plist-get status :environment)))
    (if (stringp name) (format "HTTP[%s]" name) "HTTP")))

(add-hook 'postkit-mode-hook
          (lambda () (setq mode-name '(:eval (postkit--environment)))))

(add-hook 'eglot-managed-mode-hook
          (lambda () (when (derived-mode-p 'postkit-mode) (postkit--draw))))

;;; Results

(defvar-local postkit--overlays nil "Results of the buffer, by overlay.")
(defvar-local postkit--turn 0 "How often results were asked for; the newest answer counts.")

(defun postkit--draw ()
  "Ask for the results of the buffer and draw them behind the request lines."
  (let ((buffer (current-buffer)) (turn (cl-incf postkit--turn)))
    (jsonrpc-async-request
     (postkit--server) :textDocument/inlayHint
     (list :textDocument (eglot--TextDocumentIdentifier)
           :range (save-restriction
                    (widen)
                    (list :start (eglot--pos-to-lsp-position (point-min))
                          :end (eglot--pos-to-lsp-position (point-max)))))
     :success-fn
     (lambda (hints)
       (when (buffer-live-p buffer)
         (with-current-buffer buffer
           (when (= turn postkit--turn) (postkit--put (append hints nil))))))
     :error-fn #'ignore :timeout-fn #'ignore)))

(defun postkit--put (hints)
  "Draw the results among HINTS in place of those that are drawn."
  (mapc #'delete-overlay postkit--overlays)
  (setq postkit--overlays nil)
  (dolist (hint hints)
    (when-let ((mood (plist-get (plist-get hint :data) :result)))
      (postkit--mark
       (eglot--lsp-position-to-point (plist-get hint :position)) mood
       (string-trim (mapconcat (lambda (part) (plist-get part :value)) (plist-get hint :label) ""))))))

(defun postkit--mark (position mood text)
  "Draw TEXT behind the line of POSITION, as the MOOD of a result wants it."
  (save-excursion
    (goto-char position)
    (let* ((end (line-end-position))
           (overlay (make-overlay end end))
           (face (pcase mood
                   ("done" 'postkit-good)
                   ((or "sending" "waiting") 'postkit-sending)
                   (_ 'postkit-bad))))
      (overlay-put overlay 'after-string (concat "  " (propertize text 'face face 'cursor t)))
      (overlay-put overlay 'postkit t)
      (push overlay postkit--overlays)
      overlay)))

;;; Commands

(defun postkit--execute (command argument done)
  "Have the server run COMMAND with ARGUMENT, then call DONE with its result.
Emacs goes on meanwhile; a failure is said."
  (jsonrpc-async-request
   (postkit--server) :workspace/executeCommand
   (list :command command :arguments (vector argument))
   :timeout nil :success-fn done
   :error-fn (lambda (failure) (message "PostKit: %s" (plist-get failure :message)))))

(defun postkit--place ()
  "The place of point for a command."
  (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)
        :position (eglot--pos-to-lsp-position)))

(defun postkit--display (server uri takes-focus)
  "Show SERVER's file of URI in the other window; with TAKES-FOCUS select it."
  (let* ((buffer (let ((postkit--opens-response t)) 
                   (find-file-noselect (eglot--uri-to-path uri) t)))
         (window (display-buffer buffer '(nil (inhibit-same-window . t)))))
    (with-current-buffer buffer
      (if (eglot-managed-p)
          (unless (buffer-modified-p) (revert-buffer t t t))
        ;; It lies in no project, and belongs to the server that wrote it.
        (setq eglot--cached-server server)
        (eglot--maybe-activate-editing-mode)))
    (when (and takes-focus window) (select-window window))
    buffer))

(defun postkit--clock (seconds)
  "How long a send has taken so far that began SECONDS ago."
  (let ((whole (truncate seconds)))
    (cond ((< seconds 60) (format "%d.%d s" whole (mod (truncate (* 10 seconds)) 10)))
          ((< whole 3600) (format "%d min %d s" (/ whole 60) (mod whole 60)))
          (t (format "%d h %d min" (/ whole 3600) (/ (mod whole 3600) 60))))))

(defun postkit--send (command argument)
  "Send with COMMAND and ARGUMENT, with a clock in the echo area; draw the results."
  (let* ((buffer (current-buffer))
         (server (postkit--server))
         (started (float-time))
         (overlay (postkit--mark (point) "sending" "sending…"))
         (clock (run-with-timer
                 1 1 (lambda () (message "PostKit: sending… %s; C-c C-k cancels"
                                         (postkit--clock (- (float-time) started))))))
         (end (lambda ()
                (cancel-timer clock)
                (delete-overlay overlay)
                (when (buffer-live-p buffer) (with-current-buffer buffer (postkit--draw))))))
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vector argument))
     :timeout nil
     :success-fn (lambda (result)
                   (run-at-time 0 nil (lambda () (funcall end) (postkit--tell server result))))
     :error-fn (lambda (failure)
                 (run-at-time 0 nil end)
                 (message "PostKit: %s" (plist-get failure :message))))))

(defun postkit--tell (server result)
  "Show what a send of SERVER came to: RESULT, or the last of many."
  (let* ((result (if (vectorp result) (aref result (1- (length result))) result))
         (failure (plist-get result :error))
         (uri (plist-get result :uri)))
    (message "PostKit: %s" (if (equal (plist-get result :state) "failed")
                               (plist-get failure :message)
                             (plist-get result :summary)))
    (when (and uri postkit-shows-response) (postkit--display server uri nil))))

(defun postkit-send ()
  "Send the request at point, or those of the region."
  (interactive)
  (if (use-region-p)
      (postkit--send "postkit.sendAll"
                     (list :uri (plist-get (postkit--place) :uri)
                           :range (list :start (eglot--pos-to-lsp-position (region-beginning))
                                        :end (eglot--pos-to-lsp-position (region-end)))))
    (postkit--send "postkit.send" (postkit--place))))

(defun postkit-send-all ()
  "Send all requests of the buffer, in order."
  (interactive)
  (postkit--send "postkit.sendAll" (list :uri (plist-get (postkit--place) :uri))))

(defun postkit-cancel ()
  "Cancel the running requests from the buffer."
  (interactive)
  (postkit--execute "postkit.cancel" (list :uri (plist-get (postkit--place) :uri))
                    (lambda (count) (message "PostKit: %d cancelled" count))))

(defun postkit-show-response ()
  "Show the last response of the request at point, also of an earlier session."
  (interactive)
  (postkit--execute "postkit.showResponse" (postkit--place) #'ignore))

(defun postkit-compare ()
  "Compare the last response of the request at point with the one before."
  (interactive)
  (postkit--execute "postkit.diffResponses" (postkit--place) #'ignore))

(defun postkit-history (words)
  "List what was sent, by any editor or the command line, where WORDS are found."
  (interactive "sHistory (words, or return for all): ")
  (postkit--execute "postkit.history" (if (string-empty-p words) eglot--{}
                                      (list :query (concat "search=" (url-hexify-string words))))
                    #'ignore))

(defun postkit-collections ()
  "List the stored requests."
  (interactive)
  (postkit--execute "postkit.collections" eglot--{} #'ignore))

(defun postkit-copy-as-curl ()
  "Put the request at point into the kill ring as a curl command, with true values."
  (interactive)
  (postkit--execute "postkit.copyAsCurl" (postkit--place)
                    (lambda (line) (kill-new line) (message "PostKit: copied as curl"))))

(defconst postkit-copy-targets
  (split-string "curl httpie wget python httpx javascript axios go rust java kotlin csharp php ruby \
powershell swift hurl http") "The programs for which a request can be copied.")

(defun postkit-copy-as (target &optional reveal)
  "Copy the request at point for the program TARGET; REVEAL keeps its secrets."
  (interactive (list (completing-read "Copy as: " postkit-copy-targets nil t) current-prefix-arg))
  (postkit--execute
   "postkit.copyAs" (append (postkit--place) (list :target target) (and reveal (list :reveal t)))
   (lambda (text) (kill-new text) (message "PostKit: copied as %s" target))))

(defun postkit-select-environment ()
  "Choose the environment of the folder; all editors share the choice."
  (interactive)
  (let* ((answer (jsonrpc-request (postkit--server) :postkit/environments
                                  (list :textDocument (eglot--TextDocumentIdentifier))))
         (names (cl-loop for one across (plist-get answer :items) collect (plist-get one :name)))
         (name (completing-read "Environment (empty for none): " names nil t)))
    (postkit--execute "postkit.selectEnvironment"
                      (list :name (if (string-empty-p name) nil name)
                            :folder (eglot--path-to-uri (project-root (eglot--current-project))))
                      (lambda (_) (message "PostKit: %s"
                                           (if (string-empty-p name) "no environment" name))))))

(provide 'postkit)
;;; postkit.el ends here
