// XPath 1.0 on XML and HTML, with limits on what a hostile document or expression can take.

import CXPath

/// A prefix of an expression and the namespace that it stands for.
package struct XPathNamespace: Sendable, Hashable {
  package var prefix: String
  package var uri: String

  /// Makes a namespace.
  package init(prefix: String, uri: String) {
    self.prefix = prefix
    self.uri = uri
  }
}

/// A value that an expression gives.
package enum XPathValue: Sendable, Hashable {
  /// Of nodes the first: the inside of an element, a whole document, the value of another node.
  case string(String)
  /// The number as XPath writes it, which may be `NaN` or `Infinity`.
  case number(String)
  case bool(Bool)
}

/// Why there is no value.
package enum XPathFailure: Error, Sendable, Hashable {
  /// The expression can't be read, from a byte on.
  case expression(offset: Int, explanation: String)
  /// The document can't be read.
  case document(String)
  /// There is no library to do it, or no memory.
  case unavailable(String)
}

/// An XPath expression.
package struct XPath: Sendable, Hashable {
  /// The expression as written.
  package let text: String

  /// Bytes of a document; the tree takes about ten times as much memory.
  static let documentLimit = 32 << 20
  /// Bytes of an expression. Libxml2 reads and evaluates recursively.
  static let expressionLimit = 2_000
  /// How deep parentheses and brackets nest.
  static let depthLimit = 40
  /// Steps of an evaluation, which are done in about a second.
  static let stepLimit: UInt = 20_000_000

  /// Makes an expression, which is read when it is used.
  package init(_ text: String) { self.text = text }

  /// What is wrong with the expression whatever the document; `nil` where nothing is, or where it
  /// can't be told because there is no library.
  package var problem: XPathFailure? {
    if let problem = refusal { return problem }
    guard case .success = XPathLibrary.version else { return nil }
    var result = postkit_xpath_check(text)
    defer { postkit_xpath_free(&result) }
    return result.kind == POSTKIT_XPATH_BAD_EXPRESSION ? expressionFailure(result) : nil
  }

  /// The value in a document; `nil` where no node is found. With `wholeNodes` that of nodes are all
  /// of them as they stand there, each on a line of its own.
  package func value(
    in document: [UInt8], isHTML: Bool, namespaces: [XPathNamespace] = [], wholeNodes: Bool = false
  ) throws(XPathFailure) -> XPathValue? {
    if let problem = refusal { throw problem }
    if case .failure(let missing) = XPathLibrary.version {
      throw .unavailable(missing.explanation)
    }
    guard document.count <= XPath.documentLimit else {
      throw .document("it has more than \(XPath.documentLimit >> 20) MB")
    }
    var result = evaluate(document, isHTML, namespaces, wholeNodes)
    defer { postkit_xpath_free(&result) }
    let bytes = UnsafeRawBufferPointer(start: result.text, count: result.length)
    let text = String(decoding: bytes, as: UTF8.self)
    switch result.kind {
    case POSTKIT_XPATH_NODES: return result.count == 0 ? nil : .string(text)
    case POSTKIT_XPATH_STRING: return .string(text)
    case POSTKIT_XPATH_NUMBER: return .number(text)
    case POSTKIT_XPATH_BOOLEAN: return .bool(text == "true")
    case POSTKIT_XPATH_BAD_EXPRESSION: throw expressionFailure(result)
    case POSTKIT_XPATH_BAD_DOCUMENT: throw .document(XPath.documentMistake(result, text))
    default: throw .unavailable("there is not enough memory")
    }
  }

  private func evaluate(
    _ document: [UInt8], _ isHTML: Bool, _ namespaces: [XPathNamespace], _ wholeNodes: Bool
  ) -> postkit_xpath_result {
    let texts = namespaces.flatMap { [$0.prefix, $0.uri] }.map { Array($0.utf8CString) }
    return withPointers(to: texts[...], []) { pointers in
      pointers.withUnsafeBufferPointer { pointers in
        text.withCString { expression in
          document.withUnsafeBytes { bytes in
            var query = postkit_xpath_query(
              expression: expression, namespaces: pointers.baseAddress,
              namespace_count: namespaces.count, is_html: isHTML, whole_nodes: wholeNodes,
              step_limit: XPath.stepLimit)
            // An empty array may have no address.
            let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? expression
            return postkit_xpath_evaluate(start, bytes.count, &query)
          }
        }
      }
    }
  }

  /// Calls `body` with the addresses of texts.
  private func withPointers<Result>(
    to texts: ArraySlice<[CChar]>, _ done: [UnsafePointer<CChar>],
    _ body: ([UnsafePointer<CChar>]) -> Result
  ) -> Result {
    guard let first = texts.first else { return body(done) }
    return first.withUnsafeBufferPointer { buffer in
      let pointers = done + [buffer.baseAddress].compactMap { $0 }
      return withPointers(to: texts.dropFirst(), pointers, body)
    }
  }

  /// What is not even given to the library.
  private var refusal: XPathFailure? {
    if text.utf8.count > XPath.expressionLimit {
      return .expression(
        offset: 0, explanation: "an expression may have \(XPath.expressionLimit) bytes")
    }
    if let offset = text.utf8.firstIndex(of: 0) {
      return .expression(
        offset: text.utf8.distance(from: text.utf8.startIndex, to: offset),
        explanation: "a NUL byte is not allowed")
    }
    var depth = 0
    var quote: UInt8?
    for (offset, byte) in text.utf8.enumerated() {
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if depth > XPath.depthLimit {
        return .expression(offset: offset, explanation: "this is nested too deeply")
      }
    }
    return nil
  }

  private func expressionFailure(_ result: postkit_xpath_result) -> XPathFailure {
    let explanation =
      switch result.code {
      case 1202, 1203: "the closing quote is missing"
      case 1204: "the name of a variable is missing"
      case 1205, 1224: "PostKit gives XPath no variables; write the value itself"
      case 1206: "the predicate can't be read; close it with `]`"
      case 1208: "a bracket is not closed"
      case 1209: "XPath 1.0 has no such function"
      case 1210, 1211: "the operand has the wrong type"
      case 1212: "the function takes another number of arguments"
      case 1219: "unknown prefix; define it with `@xpath_ns prefix=uri`"
      case 1220, 1221: "unexpected character"
      case 1225: "it takes too many steps on this document; write a narrower path"
      case 1226: "this is nested too deeply"
      default: "this is not XPath 1.0"
      }
    return .expression(offset: min(max(0, result.place), text.utf8.count), explanation: explanation)
  }

  /// XML_ERR_UNDECLARED_ENTITY: a document's own entities count as undeclared.
  private static func documentMistake(_ result: postkit_xpath_result, _ text: String) -> String {
    if result.code == 26 {
      return "line \(result.place) uses an entity that the document declares or nobody does, and "
        + "such entities are not expanded"
    }
    let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "it can't be read"
    return result.place > 0 ? "line \(result.place): \(line)" : line
  }
}
