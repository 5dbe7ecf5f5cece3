;;; packages.el --- finds eglot where Debian or the user put it  -*- lexical-binding: t -*-
(require 'package)
(package-initialize)
;;; packages.el ends here
