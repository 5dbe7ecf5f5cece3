// The JavaScript that is part of the program.

/// The files of the folder `Prelude`.
enum Prelude {
  /// The text of a file by its name without `.js`; `nil` where there is none.
  static func text(_ name: String) -> [UInt8]? {
    guard let text = files[name] else { return nil }
    return text.withUTF8Buffer { Array($0) }
  }
}
