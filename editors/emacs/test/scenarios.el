;;; scenarios.el --- what a person does with PostKit in Emacs  -*- lexical-binding: t -*-

;; The rows M1 and on of ../../README.md, each in this very Emacs, on the real server.

(require 'cl-lib)
(require 'eglot)
(require 'flymake)
(require 'xref)
(require 'seq)

(setq inhibit-startup-screen t
      create-lockfiles nil
      xref-show-definitions-function #'xref-show-definitions-buffer
      eglot-confirm-server-initiated-edits nil
      make-backup-files nil)

(defvar scenarios-work (file-name-as-directory (getenv "POSTKIT_WORK")))
(defvar scenarios-failed nil "Whether anything failed.")

(defun scenarios-report (ok row sentence)
  "Write whether ROW, told by SENTENCE, is OK."
  (unless ok (setq scenarios-failed t))
  (append-to-file (format "%s %s %s\n" (if ok "ok" "not ok") row
                          (replace-regexp-in-string "\n" " " sentence))
                  nil (getenv "POSTKIT_RESULTS")))

(defmacro scenario (row sentence &rest body)
  "Report for ROW that SENTENCE holds unless BODY fails."
  (declare (indent 2))
  `(condition-case failure
       (progn ,@body (scenarios-report t ,row ,sentence))
     (error (scenarios-report nil ,row (format "%s: %S" ,sentence failure)))))

(defun idle ()
  "Do what Emacs does while nobody types."
  ;; The events of watched files count as typed, and break off all waiting until they are read.
  (while (input-pending-p) (read-event nil nil 0.01))
  (sit-for 0.05))

(defmacro until (what &rest condition)
  "Wait until CONDITION, which is WHAT, holds."
  (declare (indent 1))
  `(let ((deadline (+ (float-time) 60)))
     (while (not (progn ,@condition))
       (when (> (float-time) deadline) 
         (error "Waited in vain until %s; %s was said" ,what (last-said)))
       (idle))))

(defun expect (what holds) "Fail with WHAT unless HOLDS." (unless holds (error "Not so: %s" what)))

(defun completes (what pattern)
  "Complete until what is before point, which is WHAT, matches PATTERN.
The event of a watched file breaks the completion off, as a key does."
  (until what
    (or (looking-back pattern (line-beginning-position))
        (progn (idle) (completion-at-point)
               (looking-back pattern (line-beginning-position))))))

(defun visit (name)
  "Visit NAME among the fixtures in the only window, as it is on disk."
  (delete-other-windows)
  (switch-to-buffer (find-file-noselect (expand-file-name name scenarios-work)))
  ;; Eglot starts after a command.
  (press "C-a")
  (until "the server manages the buffer" (eglot-managed-p))
  (goto-char (point-min))
  (current-buffer))

(defun at (text) "Go to TEXT." (goto-char (point-min)) (search-forward text))

(defun press (keys) "Press KEYS as a person would." (idle) (execute-kbd-macro (kbd keys)))

(defun behind-line ()
  "What is drawn behind the line of point."
  (mapconcat (lambda (one) (or (overlay-get one 'after-string) ""))
             (overlays-in (line-beginning-position) (1+ (line-end-position))) ""))

(defun said () "What the echo area has said." (with-current-buffer "*Messages*" (buffer-string)))

(defun last-said ()
  "The last line that the echo area has said."
  (car (last (split-string (said) "\n" t))))

(defun marks () "What flymake marks." (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun response ()
  "The text of the response beside, or nil."
  (seq-some (lambda (window)
              (with-current-buffer (window-buffer window)
                (and buffer-file-name (string-match-p "/view/" buffer-file-name) (buffer-string))))
            (window-list)))

;; Without our file: what eglot alone makes of the server.

(define-derived-mode plain-http-mode prog-mode "Plain")
(add-to-list 'eglot-server-programs
             (cons 'plain-http-mode (list (getenv "POSTKIT_BIN") "lsp")))

(scenario "M1" "eglot alone sends by a code action, and tells what came"
  (switch-to-buffer (find-file-noselect (expand-file-name "requests.http" scenarios-work)))
  (plain-http-mode)
  (call-interactively #'eglot)
  (until "the server manages the buffer" (eglot-managed-p))
  (at "{{$exampleServer}}/get?q")
  (let* ((actions (eglot-code-actions (point) (point)))
         (send (seq-find (lambda (one) (equal (plist-get one :title) "Send `hello`")) actions))
         (command (plist-get send :command)))
    (eglot-execute-command (eglot-current-server) (plist-get command :command)
                           (plist-get command :arguments)))
  (until "it is told" (string-match-p "200 OK  [0-9]+ ms  .*The response is in /" (said)))
  (string-match "The response is in \\(/.*\\)\\." (said))
  (expect "the response is in the file"
          (with-temp-buffer
            (insert-file-contents (match-string 1 (said)))
            (search-forward "HTTP/1.1 200 OK" nil t)))
  (eglot-shutdown (eglot-current-server))
  (kill-buffer))

(load (expand-file-name "../postkit.el" (file-name-directory load-file-name)) nil t)
(setq postkit-command (list (getenv "POSTKIT_BIN") "lsp"))

(scenario "M2" "a request file opens in its mode, with the server, and nothing is sent"
  (visit "several.rest")
  (expect "it is the mode" (eq major-mode 'postkit-mode))
  (visit "requests.http")
  (expect "it is the mode" (eq major-mode 'postkit-mode))
  (expect "no result but that of before"
          (seq-every-p (lambda (one) (string-match-p "200 OK" one))
                       (mapcar (lambda (one) (overlay-get one 'after-string))
                               postkit--overlays))))

(scenario "M3" "a name without a value is marked; the mark goes when it has one"
  (visit "requests.http")
  (until "it is marked" (seq-some (lambda (one) (string-match-p "stage" one)) (marks)))
  (goto-char (point-min))
  (insert "@stage = here\n")
  ;; Eglot waits until Emacs is idle, which it never is while a script runs.
  (eglot--signal-textDocument/didChange)
  (until "the mark is gone"
    (not (seq-some (lambda (one) (string-match-p "stage" one)) (marks))))
  (delete-region (point-min) (point))
  (set-buffer-modified-p nil))

(scenario "M4" "header names and variables complete, behind non-ASCII text too"
  (visit "requests.http")
  (at "Accept: application/json")
  (insert "\nAccept-Lan")
  (completes "the header is there" "Accept-Language:? ?")
  (insert "\nX-É: 😀{{gree")
  (completes "the variable is there" "X-É: 😀{{greeting}*")
  (revert-buffer t t t))

(scenario "M5" "eldoc tells value and origin of a variable"
  (visit "requests.http")
  (at "q={{gree")
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told text)))
    (until "it is told" told)
    (expect (format "the value and where it comes from in %S" told)
            (and (string-match-p "hello" told) (string-match-p "from this file, line 1" told)))))

(scenario "M6" "C-c C-c sends; the result stands behind the line, the response beside, point stays"
  (visit "requests.http")
  (at "GET {{$exampleServer}}/get?q")
  (let ((before (point)) (window (selected-window)))
    (press "C-c C-c")
    (expect "it says so at once" (string-match-p "sending" (behind-line)))
    (until "the result is drawn" (string-match-p "200 OK" (behind-line)))
    (until "the response is shown" (response))
    (expect "the response has head and body"
            (and (string-match-p "HTTP/1.1 200 OK" (response))
                 (string-match-p "\"q\": \"hello\"" (response))))
    (expect "point stays" (and (eq window (selected-window)) (= before (point))))))

(scenario "M7" "a 404 and a closed port are failures; the second tells why"
  (visit "requests.http")
  (at "/status/404")
  (press "C-c C-c")
  (until "the result is drawn" (string-match-p "404" (behind-line)))
  (at "/refused")
  (press "C-c C-c")
  (until "it is told" (string-match-p "PostKit: No connection to 127.0.0.1:1" (said)))
  (until "nothing is under way" (not (string-match-p "sending" (behind-line)))))

(scenario "M15" "what became of each request has the words of the server"
  (visit "results.http")
  (let* ((table (append (with-temp-buffer
                          (insert-file-contents (expand-file-name "results.json" scenarios-work))
                          (json-parse-buffer :object-type 'plist :false-object nil))
                        nil))
         (table (seq-filter (lambda (row) (plist-get row :hint)) (butlast table 2)))
         (go (lambda (row) (goto-char (point-min)) (forward-line (plist-get row :line)))))
    ;; M8 cancels, after which the rest is not sent.
    (push-mark (point-min) t t)
    (at "### cancelled")
    (forward-line -1)
    (press "C-c C-c")
    (until "all is drawn" (funcall go (car (last table))) (string-match-p "failed" (behind-line)))
    (dolist (row table)
      (funcall go row)
      (expect (format "the words of %s, not %s" (plist-get row :name) (behind-line))
              (string-match-p (plist-get row :words) (string-trim (behind-line))))
      (expect (format "the colour of %s" (plist-get row :name))
              (eq (get-text-property 2 'face (behind-line))
                  (if (equal (plist-get row :mood) "done") 'postkit-good 'postkit-bad))))))

(scenario "M8" "C-c C-k cancels, and Emacs goes on meanwhile"
  (visit "requests.http")
  (at "/delay/10")
  (press "C-c C-c")
  (expect "Emacs goes on" (string-match-p "sending" (behind-line)))
  (until "the clock runs" (string-match-p "PostKit: sending… [0-9]" (said)))
  (press "C-c C-k")
  (until "it is cancelled" (string-match-p "PostKit: 1 cancelled" (said)))
  (until "it is drawn" (string-match-p "cancelled after [0-9.]+ m?s" (behind-line)))
  (until "it is told" (string-match-p "PostKit: cancelled after [0-9.]+ m?s" (said))))

(scenario "M9" "C-c C-e chooses the environment; the mode line shows it, the next send uses it"
  (visit "requests.http")
  (press "C-c C-e prod RET")
  (until "the mode line shows it" (string-match-p "HTTP\\[prod\\]" (format-mode-line mode-name)))
  (at "/get?stage")
  (press "C-c C-c")
  (until "the response is shown"
    (string-match-p "\"stage\": \"production\"" (or (response) ""))))

(scenario "M10" "definition, references and rename"
  (visit "requests.http")
  (at "who=zoë&q={{gree")
  (let ((definitions (xref-backend-definitions 'eglot "LSP identifier at point.")))
    (expect "one definition, on line 1"
            (and (= 1 (length definitions))
                 (= 1 (xref-location-line (xref-item-location (car definitions)))))))
  (expect "it is named three times"
          (= 3 (length (xref-backend-references 'eglot "LSP identifier at point."))))
  (eglot-rename "salute")
  (expect "all have the new name"
          (and (= 3 (how-many "salute" (point-min) (point-max)))
               ;; A title is no use of a name.
               (= 1 (how-many "{{greeting}}" (point-min) (point-max)))))
  (revert-buffer t t t))

(scenario "M11" "requests are in the outline, and the file is laid out"
  (visit "requests.http")
  (expect "their names are there"
          (let ((names (format "%S" (eglot-imenu))))
            (and (string-match-p "hello" names) (string-match-p "missing" names))))
  (at "Accept:")
  (insert "   ")
  (eglot-format-buffer)
  (expect "it is as it was" (progn (at "Accept:") (looking-at " application/json$")))
  (set-buffer-modified-p nil))

(scenario "M12" "C-c C-w copies a curl command"
  (visit "requests.http")
  (at "/get?q")
  (press "C-c C-w")
  (until "it is copied" (string-match-p "copied as curl" (said)))
  (expect "it is the request" (string-match-p "\\`curl .*q=hello" (current-kill 0)))
  (press "C-c C-y python RET")
  (until "the program is copied" (string-match-p "copied as python" (said)))
  (expect "it is a program" (string-match-p "\\`import requests" (current-kill 0))))

(scenario "M13" "C-c C-h lists the history by words, C-c C-r shows the last response"
  (visit "requests.http")
  (press "C-c C-h production RET")
  (until "the list is shown"
    (let ((list (response))) (and list (string-match-p "stage=production" list)
                                  (not (string-match-p "q=hello" list)))))
  (visit "requests.http")
  (at "/get?q")
  (press "C-c C-r")
  (until "the response is shown" (string-match-p "\"q\": \"hello\"" (or (response) ""))))

(scenario "M14" "without the program one message says what to do"
  (let ((postkit-command '("/nowhere/postkit" "lsp")))
    (find-file (expand-file-name "fresh.http" scenarios-work))
    (expect "it is said" (string-match-p "cannot find the program .?/nowhere/postkit" (said)))
    (kill-buffer)))

(eglot-shutdown-all)
(let ((kill-emacs-query-functions nil) (kill-emacs-hook nil))
  (kill-emacs (if scenarios-failed 1 0)))
;;; scenarios.el ends here
