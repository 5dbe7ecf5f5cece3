;;; packages.el --- finds eglot where Debian or the user put it  -*- lexical-binding: t -*-
;; Before anything is loaded: what Emacs compiles by the way puts its warnings into the window
;; where a response stands.
(setq native-comp-deferred-compilation nil
      native-comp-async-report-warnings-errors nil)
(require 'package)
(package-initialize)
;;; packages.el ends here
