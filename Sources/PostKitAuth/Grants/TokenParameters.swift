// The parameters of a request to a provider, in the order that people expect (AU-9).

import PostKitHTTP

/// Names and values in their order. Empty values are left out.
struct TokenParameters: Sendable, Hashable {
  private(set) var fields: [AuthField] = []

  /// Adds a parameter, unless it has no value or there is one of that name.
  mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty, !fields.contains(where: { $0.name == name }) else { return }
    fields.append(AuthField(name, value))
  }

  /// Adds a parameter that is repeated for each value.
  mutating func add(_ name: String, each values: [String]) {
    for value in values where !value.isEmpty { fields.append(AuthField(name, value)) }
  }

  /// Adds what an author wrote: a standard parameter of that name gives way to it in its place, and
  /// the rest comes last, in the author's order.
  mutating func apply(_ custom: [AuthParameter]) {
    var rest = custom.flatMap { parameter in
      parameter.values.filter { !$0.isEmpty }.map { AuthField(parameter.name, $0) }
    }
    for name in Set(fields.map(\.name)) {
      let own = rest.filter { $0.name == name }
      guard !own.isEmpty, let at = fields.firstIndex(where: { $0.name == name }) else { continue }
      fields.removeAll { $0.name == name }
      fields.insert(contentsOf: own, at: at)
      rest.removeAll { $0.name == name }
    }
    fields += rest
  }

  /// The parameters as a form or a query has them; blanks are `%20`, which both understand.
  var encoded: String {
    fields.map {
      PercentEncoding.encode($0.name, allowing: .form) + "="
        + PercentEncoding.encode($0.value, allowing: .form)
    }.joined(separator: "&")
  }

  /// The names in their order, each once.
  var names: [String] {
    var seen: Set<String> = []
    return fields.map(\.name).filter { seen.insert($0).inserted }
  }

  /// A URL with the parameters behind those that it has (RFC 6749, section 3.1).
  func added(to url: String) -> String {
    let base = URLText(url).withoutFragment
    guard !fields.isEmpty else { return String(base) }
    guard base.contains("?") else { return base + "?" + encoded }
    return base + (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&") + encoded
  }

  /// The fields of a query, a form or a fragment.
  static func fields(of text: Substring) -> [AuthField] {
    guard !text.isEmpty else { return [] }
    return URLText.pairs(of: text).map {
      AuthField(
        PercentEncoding.decodeForm(String($0.name)),
        PercentEncoding.decodeForm(String($0.value ?? "")))
    }
  }
}

extension [AuthField] {
  /// The value of the only field of that name: parameters must not be repeated (RFC 6749,
  /// section 3.1).
  func only(_ name: String) -> String? {
    let own = filter { $0.name == name }
    return own.count == 1 ? own[0].value : nil
  }
}

extension AuthConfiguration {
  /// The author's parameters for a kind of request.
  func parameters(for use: AuthParameter.Use) -> [AuthParameter] {
    parameters.filter { $0.use == .everywhere || $0.use == use }
  }
}
