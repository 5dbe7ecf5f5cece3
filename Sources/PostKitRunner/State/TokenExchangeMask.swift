// What may be shown of the requests by which tokens are got (AU-48).

import PostKitAuth
import PostKitHTTP
import PostKitSupport

/// Masks exchanges with providers: by the names of what is secret there, then by value.
enum TokenExchangeMask {
  /// Bytes of a body that are looked at; what is longer is no answer with tokens.
  private static let limit = 1 << 20

  /// The exchange as history and displays may have it.
  static func masked(_ exchange: Exchange, _ mask: SecretMask) -> Exchange {
    var (result, values) = (exchange, ExchangeMask.credentials(in: exchange.request.headers))
    func masked(_ bytes: [UInt8], as format: SecretMask.Format) -> [UInt8] {
      let named = SecretMask.mask(valuesOf: SecretParameters.names, in: bytes, as: format)
      values += named.values
      return named.bytes
    }
    func masked(_ body: BodyContent, _ headers: HeaderFields) -> BodyContent {
      let bytes = StoredBody.bytes(body, limit: limit)
      return .bytes(
        masked(bytes, as: SecretMask.format(ofType: headers.first("Content-Type"))))
    }
    func masked(url: String) -> String {
      guard let mark = url.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return url }
      let rest = url[url.index(after: mark)...]
      return url[...mark] + String(decoding: masked(Array(rest.utf8), as: .form), as: UTF8.self)
    }
    result.request.url = masked(url: exchange.request.url)
    result.request.body = masked(exchange.request.body, exchange.request.headers)
    if var response = exchange.response {
      response.body = masked(response.body, response.headers)
      response.isTruncated = response.isTruncated || exchange.response?.body.count ?? 0 > limit
      for index in response.headers.fields.indices
      where response.headers.fields[index].name.equalsIgnoringASCIICase("Location") {
        response.headers.fields[index].value = masked(url: response.headers.fields[index].value)
      }
      result.response = response
    }
    var mask = mask
    mask.add(values)
    let body = StoredBody.bytes(result.request.body, limit: limit)
    let lines = ["\(result.request.method) \(result.request.url)"]
      + result.request.headers.fields.map { "\($0.name): \($0.value)" }
      + (body.isEmpty ? [] : ["", String(decoding: body, as: UTF8.self)])
    result.template = lines.joined(separator: "\n")
    for field in result.request.headers.fields where SecretMask.isAlwaysMasked(field.name) {
      result.template = result.template.replacing(field.value, with: SecretMask.text)
    }
    result = ExchangeMask(mask: mask).masked(result, template: result.template)
    result.isRedacted = true
    return result
  }
}
