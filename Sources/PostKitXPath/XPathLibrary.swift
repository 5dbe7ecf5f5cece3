// Opens libxml2 once per process, when the first expression is used.

import CXPath

/// The libxml2 of this machine.
package enum XPathLibrary {
  /// Its version, such as `2.9.14`, or why there is none in one sentence.
  package static let version: Result<String, XPathLibraryMissing> = open(names)

  /// The names to try. Version 16 has other structures than those that are read here.
  static var names: [String] {
    #if canImport(Darwin)
      ["/usr/lib/libxml2.2.dylib"]
    #else
      ["libxml2.so.2"]
    #endif
  }

  /// Opens the first library that there is.
  static func open(_ names: [String]) -> Result<String, XPathLibraryMissing> {
    var reasons: [String] = []
    for name in names {
      var message = [CChar](repeating: 0, count: 512)
      if postkit_xpath_open(name, &message, message.count) {
        let version = postkit_xpath_version()
        return .success("\(version / 10_000).\(version / 100 % 100).\(version % 100)")
      }
      let end = message.firstIndex(of: 0) ?? message.endIndex
      reasons.append(String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return .failure(XPathLibraryMissing(reason: reasons.joined(separator: "; ")))
  }
}

/// Why libxml2 can't be used.
package struct XPathLibraryMissing: Error, Sendable, Hashable {
  /// What the loader said.
  let reason: String

  /// What is missing and how to get it, as a clause.
  package var explanation: String {
    "libxml2, which reads XPath, can't be opened (\(reason)); install it, on Debian and Ubuntu "
      + "with `apt install libxml2`"
  }
}
