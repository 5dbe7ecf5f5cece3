// The words that have a meaning of their own: methods and metadata keys.

/// The methods PostKit knows (PK-9, PK-41).
package enum MethodNames {
  /// Methods of HTTP, WebDAV and the registries that other tools list.
  package static let http: Set<String> = [
    "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "CONNECT", "TRACE", "LOCK",
    "UNLOCK", "PROPFIND", "PROPPATCH", "COPY", "MOVE", "MKCOL", "MKCALENDAR", "ACL", "SEARCH",
    "CHECKOUT", "CHECKIN", "REPORT", "MERGE", "MKACTIVITY", "MKWORKSPACE", "VERSION-CONTROL",
    "BASELINE-CONTROL", "LIST", "QUERY",
  ]
  /// Words in the place of a method that choose another protocol (PK-41).
  package static let protocols: Set<String> = [
    "GRAPHQL", "WS", "WSS", "WEBSOCKET", "SSE", "EVENTSOURCE", "GRPC", "MQTT", "MQTTS", "AMQP",
  ]

  /// The method to be sent: known ones in capitals, any other word as written (PK-9).
  package static func canonical(_ word: String) -> String {
    let capitals = word.uppercased()
    return isKnown(capitals) ? capitals : word
  }

  /// Whether a word is one of them, in capitals or in small letters.
  static func isKnown(_ bytes: ByteView, _ word: Range<Int>) -> Bool {
    isUsual(bytes, word) || isKnown(bytes.string(word).uppercased())
  }

  /// Whether a word is one of those that nearly all requests have.
  private static func isUsual(_ bytes: ByteView, _ word: Range<Int>) -> Bool {
    switch word.count {
    case 3: bytes.equalsIgnoringCase(word, "GET") || bytes.equalsIgnoringCase(word, "PUT")
    case 4: bytes.equalsIgnoringCase(word, "POST") || bytes.equalsIgnoringCase(word, "HEAD")
    case 5: bytes.equalsIgnoringCase(word, "PATCH")
    case 6: bytes.equalsIgnoringCase(word, "DELETE")
    case 7: bytes.equalsIgnoringCase(word, "OPTIONS")
    default: false
    }
  }

  /// Whether a word in capitals is one of them.
  package static func isKnown(_ word: String) -> Bool {
    http.contains(word) || protocols.contains(word)
  }
}

/// The metadata keys of all tools, folded: small letters without hyphens.
package enum MetadataKeys {
  /// Every key that some tool gives a meaning.
  package static let known: Set<String> = [
    "name", "title", "description", "note", "prompt", "secret", "kulalaprompt", "noredirect",
    "nocookiejar", "nolog", "noautoencoding", "useoscredentials", "timeout", "connectiontimeout",
    "disabled", "ref", "forceref", "import", "loop", "sleep", "delay", "ratelimit", "tag", "save",
    "openwith", "extension", "language", "keepstreaming", "nostreaminglog", "noresponseview",
    "verbose", "debug", "metadatalogging", "injectvariables", "noclientcert", "noproxy",
    "norejectunauthorized", "proxy", "jwt", "postredirectget", "responseref", "grpcreflection",
    "nogqlparsing", "forceregiondelimiter", "lang", "accept", "envstdincmd", "envstdincmdpre",
    "stdincmd", "stdincmdpre", "envjsonkey", "envheaderkey", "jq", "kulalajq", "attachcookiejar",
    "graphql", "kulalaexpectstatuscode", "kulalafilecontentstovariable", "filetovariable",
    "kulalavscoderestclientcompat", "dialect", "curldataurlencode",
  ]
  /// kulala's keys that define a variable, each with what its value says.
  static let defining: [String: VariableSyntax.Form] = [
    "envjsonkey": .member, "envheaderkey": .header, "kulalafilecontentstovariable": .file,
    "filetovariable": .file,
  ]
  /// What keys with an open end begin with, such as `curl-max-time`.
  package static let knownPrefixes = ["curl", "kulalacurl", "grpc"]

  /// Whether a folded key has a meaning.
  package static func isKnown(_ foldedKey: String) -> Bool {
    known.contains(foldedKey) || knownPrefixes.contains { foldedKey.hasPrefix($0) }
  }

  /// The folded form of a key as written.
  package static func folded(_ key: String) -> String {
    folded(Array(key.utf8), 0..<key.utf8.count)
  }

  /// The folded form of a key in a text.
  static func folded<Bytes: RandomAccessCollection>(
    _ bytes: Bytes, _ key: Range<Int>
  ) -> String where Bytes.Element == UInt8, Bytes.Index == Int {
    String(
      unsafeUninitializedCapacity: key.count,
      initializingUTF8With: { buffer in
        var count = 0
        for place in key where bytes[place] != Byte.dash {
          buffer[count] = bytes[place].lowercased
          count += 1
        }
        return count
      })
  }
}

extension MetadataSyntax {
  /// What the value says where the tag defines a variable; inside a body it has no effect.
  package var definedForm: VariableSyntax.Form? {
    // None of these keys is short; most others are.
    region == .body || foldedKey.utf8.count < 10 ? nil : MetadataKeys.defining[foldedKey]
  }
}
