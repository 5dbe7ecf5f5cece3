// What names of variables can be in request files, and what they say.

import PostKitEvaluate
import PostKitJSON

extension WrittenVariables {
  /// Whether a variable is a secret by its name.
  static func isSecretName(_ name: String) -> Bool { VariableDefinition.nameIsSecret(name) }

  /// Whether a variable is none but says something of how requests are sent, such as the
  /// certificates of `SSLConfiguration`.
  static func isSetting(_ variable: OriginVariable) -> Bool {
    guard case .json(let json)? = variable.value, variable.name != "Security" else { return false }
    return EnvironmentSet.isReserved(variable.name) && json.text.utf8.first == UInt8(ascii: "{")
  }

  /// A name with what no name can have (PK-31) replaced by `_`.
  static func plainName(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case 0...32, 127, UInt8(ascii: "="), UInt8(ascii: ":"), UInt8(ascii: "{"),
        UInt8(ascii: "}"), 0xC2, 0xE2: false
      default: true
      }
    }
    let first = name.utf8.first
    let isSpecial = first == UInt8(ascii: "$") || first == UInt8(ascii: "%")
      || EnvironmentSet.isReserved(name) || name.hasPrefix("global.")
    if isPlain, !isSpecial { return name }
    var result = ""
    for scalar in name.unicodeScalars {
      let isKept = !"=:{}".unicodeScalars.contains(scalar) && !scalar.properties.isWhitespace
        && scalar.properties.generalCategory != .control
      result.unicodeScalars.append(isKept ? scalar : "_")
    }
    if first == UInt8(ascii: "$") || first == UInt8(ascii: "%") {
      return "_" + result.dropFirst()
    }
    return isSpecial ? "_" + result : result
  }
}
