// References into earlier exchanges: `name.response.body.$.token` and the like (PK-55 to PK-57).

import PostKitHTTP
package import PostKitJSON

/// What a reference into an exchange gives.
enum ReferenceOutcome: Sendable {
  case value(JSONValue)
  /// There is such an exchange, but it has no such part.
  case noMatch(String)
  /// The selector itself can't be read.
  case badSelector(SelectorMistake)
  /// What it takes is not there; the text says what to do.
  case unavailable(String)
}

extension ReferencedExchange {
  /// The response as a value: `statusCode`, `headers`, `body`, and `parsedBody` where the body is
  /// JSON.
  package var value: JSONValue {
    let body = responseText
    var members = [
      JSONMember("statusCode", .int(response.status)),
      JSONMember(
        "headers",
        .object(response.headers.fields.map { JSONMember($0.name.lowercased(), .string($0.value)) })
      ),
      JSONMember("body", .string(String(decoding: body, as: UTF8.self))),
    ]
    // A body that is no JSON has no parsed form.
    if let tree = try? JSONTree(parsing: body) {
      members.append(JSONMember("parsedBody", tree.root.value))
    }
    return .object(members)
  }

  /// The response's body in UTF-8, whatever charset it came in, with the payloads of its tokens
  /// where these are to be decoded.
  fileprivate var responseText: [UInt8] {
    let text = response.headers.mediaType?.inUTF8(responseBody) ?? responseBody
    return tokenNames.flatMap { WebTokens.adding($0, to: text) } ?? text
  }
}

/// Reads parts of an exchange.
struct ResponseReference {
  let exchange: ReferencedExchange
  /// Applies XPath to a document, which is HTML or XML.
  let xpath: (_ expression: String, _ document: [UInt8], _ isHTML: Bool) -> XPathOutcome

  /// Resolves what follows the request's name, such as `.response.body.$.token`.
  func resolve(_ rest: String) -> ReferenceOutcome {
    var path = rest[...]
    switch ResponseReference.segment(&path) {
    case "response": return response(path)
    case "request": return request(path)
    default: return member(rest)
    }
  }

  /// What is wrong with the selector of `.response.body.selector` whatever the body is.
  static func mistake(in rest: String, check: (String) -> XPathOutcome) -> SelectorMistake? {
    var path = rest[...]
    guard ["request", "response"].contains(segment(&path)), segment(&path) == "body" else {
      return nil
    }
    return BodySelector(path, isMarkup: false).mistake(check)
  }

  /// A member of the response's body, such as `.items[0].id`.
  func member(_ path: String) -> ReferenceOutcome {
    json(exchange.responseText, path.isEmpty ? "$" : path)
  }

  private func response(_ path: Substring) -> ReferenceOutcome {
    var path = path
    switch ResponseReference.segment(&path) {
    case "body":
      return body(exchange.responseBody, exchange.response.headers, path)
    case "headers":
      return header(exchange.response.headers, path)
    case "status", "statusCode":
      return .value(.int(exchange.response.status))
    case "cookies":
      return cookie(path)
    case "time", "duration":
      return .value(.int(exchange.milliseconds))
    case "parsedBody":
      return member(String(path))
    case "statusMessage", "reason":
      return .value(.string(exchange.response.reason))
    case "httpVersion", "protocol":
      return .value(.string(exchange.response.httpVersion))
    case "contentType":
      return contentType(path)
    case let other:
      return .noMatch(
        "a response has `body`, `headers`, `status`, `cookies` and `time`, but no `\(other)`")
    }
  }

  private func request(_ path: Substring) -> ReferenceOutcome {
    var path = path
    switch ResponseReference.segment(&path) {
    case "body": return body(exchange.requestBody, exchange.request.headers, path)
    case "headers": return header(exchange.request.headers, path)
    case "url": return .value(.string(exchange.request.url))
    case "method": return .value(.string(exchange.request.method))
    case let other:
      return .noMatch("a request has `body`, `headers`, `url` and `method`, but no `\(other)`")
    }
  }

  private func body(
    _ bytes: [UInt8], _ headers: HeaderFields, _ path: Substring
  ) -> ReferenceOutcome {
    let type = headers.mediaType
    let text = type?.inUTF8(bytes) ?? bytes
    switch BodySelector(path, isMarkup: type?.isMarkup ?? false) {
    case .whole: return .value(.string(String(keeping: text)))
    case .json(let selector): return json(text, selector)
    case .xpath(let expression): return markup(bytes, type, expression)
    }
  }

  /// Applies XPath to the response's body.
  func xpath(_ expression: String) -> ReferenceOutcome {
    let type = exchange.response.headers.mediaType
    return markup(exchange.responseBody, type, expression)
  }

  private func markup(
    _ bytes: [UInt8], _ type: MediaType?, _ expression: String
  ) -> ReferenceOutcome {
    let isHTML = type?.isHTML ?? false
    return ReferenceOutcome(xpath(expression, bytes, isHTML), of: expression)
  }

  private func json(_ bytes: [UInt8], _ selector: String) -> ReferenceOutcome {
    let tree: JSONTree
    do throws(JSONSyntaxError) {
      tree = try JSONTree(parsing: bytes)
    } catch {
      return .noMatch("the body is not JSON, \(error.explanation)")
    }
    do throws(JSONPathError) {
      if let value = try JSONPath(selector).value(in: tree.root) {
        return .value(value.keepingOwn)
      }
      if let length = try length(tree, selector) { return .value(length) }
      return .noMatch("`\(selector)` matches nothing in the body")
    } catch {
      return .badSelector(
        SelectorMistake(
          language: .jsonPath, selector: selector, offset: error.offset,
          explanation: error.explanation))
    }
  }

  /// `.length` of an array or a text, as in JavaScript; a member of that name goes before.
  private func length(_ tree: JSONTree, _ selector: String) throws(JSONPathError) -> JSONValue? {
    guard selector.hasSuffix(".length") else { return nil }
    switch try JSONPath(String(selector.dropLast(7))).value(in: tree.root) {
    case .array(let elements): return .int(elements.count)
    case .string(let text): return .int(text.utf16.count)
    case nil, .null, .bool, .number, .object: return nil
    }
  }

  /// `contentType` is the whole field, `contentType.mimeType` the type without parameters.
  private func contentType(_ path: Substring) -> ReferenceOutcome {
    var path = path
    guard let field = exchange.response.headers.first("Content-Type") else {
      return .noMatch("there is no header `Content-Type`")
    }
    switch ResponseReference.segment(&path) {
    case "": return .value(.string(field))
    case "mimeType": return .value(.optional(MediaType(field)?.essence))
    case "charset": return .value(.optional(MediaType(field)?.parameter("charset")))
    case let other: return .noMatch("a content type has no `\(other)`")
    }
  }

  private func header(_ headers: HeaderFields, _ path: Substring) -> ReferenceOutcome {
    var path = path
    let name = ResponseReference.segment(&path)
    let values = headers.values(name)
    guard !values.isEmpty else { return .noMatch("there is no header `\(name)`") }
    if path.hasPrefix("["), path.hasSuffix("]"), let index = Int(path.dropFirst().dropLast()) {
      guard values.indices.contains(index) else {
        return .noMatch("the header `\(name)` has \(values.count) values")
      }
      return .value(.string(values[index]))
    }
    return .value(.string(values.joined(separator: ", ")))
  }

  /// `cookies.NAME.value`; the value may be left out.
  private func cookie(_ path: Substring) -> ReferenceOutcome {
    var path = path
    let name = ResponseReference.segment(&path)
    let member = path.isEmpty ? "value" : ResponseReference.segment(&path).lowercased()
    for line in exchange.response.headers.values("Set-Cookie") {
      let parts = line.split(separator: ";").map { String($0).trimmingBlanks }
      guard let pair = parts.first, let equals = pair.firstIndex(of: "="), pair[..<equals] == name
      else { continue }
      if member == "value" { return .value(.string(String(pair[pair.index(after: equals)...]))) }
      for attribute in parts.dropFirst() {
        let halves = attribute.split(separator: "=", maxSplits: 1).map(String.init)
        if halves[0].lowercased() == member {
          return .value(halves.count > 1 ? .string(halves[1]) : .bool(true))
        }
      }
      return .noMatch("the cookie `\(name)` has no `\(member)`")
    }
    // A masked field does not tell the names of its cookies.
    if exchange.response.headers.values("Set-Cookie").contains(SecretMask.text) {
      return .value(.string(SecretMask.text))
    }
    return .noMatch("the response sets no cookie `\(name)`")
  }

  /// Takes `.word`, `['word']` or `["word"]` off the front and returns the word.
  static func segment(_ path: inout Substring) -> String {
    if path.hasPrefix(".") { path = path.dropFirst() }
    if path.hasPrefix("["), let close = path.firstIndex(of: "]") {
      let inner = path[path.index(after: path.startIndex)..<close]
      path = path[path.index(after: close)...]
      return inner.trimmingCharacterQuotes
    }
    let end = path.firstIndex { $0 == "." || $0 == "[" } ?? path.endIndex
    let word = String(path[..<end])
    path = path[end...]
    return word
  }
}

extension Substring {
  /// The text without a pair of quotes around it.
  fileprivate var trimmingCharacterQuotes: String {
    guard count >= 2, let first, first == last, first == "'" || first == "\"" else {
      return String(self)
    }
    return String(dropFirst().dropLast())
  }
}
