// The environment of the process, read in one place so that tests can see who reads what.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads the environment variables of this process.
package enum ProcessEnvironment {
  /// The value of a variable; `nil` where it isn't set.
  package static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// All variables by name, in no order.
  package static var all: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(pair[..<equals])
        if result[name] == nil { result[name] = String(pair[pair.utf8.index(after: equals)...]) }
      }
      entry += 1
    }
    return result
  }

  /// The names of all variables, sorted.
  package static var names: [String] { all.keys.sorted() }
}
