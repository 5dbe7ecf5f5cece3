// What a setting is; the table of them is generated from protocol/settings.json.

package import PostKitJSON

/// A setting that is no option of a dialect.
package struct Setting: Sendable, Hashable {
  /// What the value of a setting may be.
  package enum Kind: Sendable, Hashable {
    case text, flag, count, milliseconds, certificates
    /// A path, which counts from the folder of the file that names it.
    case file
    /// Paths and patterns of paths, which count from there, too.
    case files
    /// One of some words.
    case choice([String])
  }

  /// The key in a file of settings, such as `tls.caFile`.
  package let name: String
  package let kind: Kind
  /// Whether a user alone sets it, as it holds for all projects.
  package let isOfUser: Bool

  init(_ name: String, _ kind: Kind, isOfUser: Bool = false) {
    (self.name, self.kind, self.isOfUser) = (name, kind, isOfUser)
  }

  /// Whether a value is one that it may have.
  package func accepts(_ value: JSONValue) -> Bool {
    switch kind {
    case .text, .file: value.string != nil
    case .files:
      if case .array(let paths) = value { paths.allSatisfy { $0.string != nil } } else { false }
    case .flag: value.bool != nil
    case .count, .milliseconds: value.int.map(Setting.counts.contains) ?? false
    case .certificates: if case .object = value { true } else { false }
    case .choice(let words): value.string.map(words.contains) ?? false
    }
  }

  /// Numbers that a setting may be: those that every reader of JSON keeps as they are.
  static let counts = 0...9_007_199_254_740_991
}

/// The name of a setting whose value is of that type.
package struct SettingKey<Value: SettingValue>: Sendable, Hashable {
  /// As in `Setting.name`.
  package let name: String

  init(_ name: String) { self.name = name }
}

/// What the value of a setting is read as.
package protocol SettingValue: Sendable {
  /// Reads a value that the setting accepts.
  init?(setting value: JSONValue)
}

extension String: SettingValue {
  package init?(setting value: JSONValue) {
    guard let text = value.string else { return nil }
    self = text
  }
}

extension [String]: SettingValue {
  package init?(setting value: JSONValue) {
    guard case .array(let texts) = value else { return nil }
    self = texts.compactMap(\.string)
  }
}

extension Int: SettingValue {
  package init?(setting value: JSONValue) {
    guard let number = value.int else { return nil }
    self = number
  }
}

extension Bool: SettingValue {
  package init?(setting value: JSONValue) {
    guard let flag = value.bool else { return nil }
    self = flag
  }
}

extension SettingValue where Self: RawRepresentable, RawValue == String {
  /// Reads the word of a choice.
  package init?(setting value: JSONValue) {
    guard let word = value.string else { return nil }
    self.init(rawValue: word)
  }
}
