// Calls of `Invoke-WebRequest` as browsers copy them.

import PostKitHTTP

/// Reads `Invoke-WebRequest -Uri "…" -Headers @{…} -Body "…"`, one or several, with the session
/// that browsers write above them.
enum PowerShellImporter: CopiedImporter {
  static let format = OriginFormat.powershell
  static let call = "call of `Invoke-WebRequest`"

  private static let programs = ["invoke-webrequest", "invoke-restmethod", "iwr", "irm"]

  /// Whether a source calls `Invoke-WebRequest`, perhaps behind its session.
  static func recognises(_ source: OriginSource) -> Bool {
    guard source.files == nil else { return false }
    let text = String(decoding: source.bytes.prefix(65_536), as: UTF8.self).lowercased()
    let first = text.drop { $0.isWhitespace }
    if programs.contains(where: { first.hasPrefix($0 + " ") }) { return true }
    guard first.hasPrefix("$") || first.hasPrefix("#") else { return false }
    return text.contains("invoke-webrequest ") || text.contains("invoke-restmethod ")
  }

  /// The calls of a script, in order.
  static func calls(
    in source: OriginSource, _ notes: ImportNotes
  ) throws(OriginFailure) -> [CopiedRequest] {
    var reader = PowerShellReader(source, notes)
    try reader.read()
    return reader.calls
  }

  /// Whether a word is a program that sends requests.
  static func isProgram(_ word: String) -> Bool { programs.contains(word.lowercased()) }
}
