// Formats that people have and PostKit doesn't read, with what turns them into one that it does.

/// A format that is known by name alone (IO, 2.10).
struct ForeignFormat: Sendable, Hashable {
  /// How people call it.
  let name: String
  /// A tool that makes OpenAPI of it.
  let converter: String

  /// Looks at the beginning of a source; `nil` where it is none of these.
  init?(_ source: OriginSource) {
    guard source.files == nil else { return nil }
    let head = String(decoding: source.bytes.prefix(16_384), as: UTF8.self)
    guard let found = Self.all.first(where: { head.contains($0.mark) }) else { return nil }
    (name, converter) = (found.name, found.converter)
  }

  /// A text that each has near its beginning.
  private static let all: [(mark: String, name: String, converter: String)] = [
    ("soapui-project", "a project of SoapUI", "ReadyAPI"),
    ("://schemas.xmlsoap.org/wsdl", "WSDL", "the API Transformer of APIMatic"),
    ("://www.w3.org/ns/wsdl", "WSDL", "the API Transformer of APIMatic"),
    ("://wadl.dev.java.net", "WADL", "the API Transformer of APIMatic"),
    ("#%RAML", "RAML", "`oas-raml-converter`"),
    ("FORMAT: 1A", "API Blueprint", "`apib2swagger`"),
    ("<jmeterTestPlan", "a test plan of JMeter", "`mitmproxy2swagger`"),
    ("com.luckymarmot.Paw", "a document of Paw", "Paw, which exports it"),
  ]
}
