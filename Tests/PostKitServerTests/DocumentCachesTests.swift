// The caches of documents, when one is looked at twice at the same time.

import PostKitEvaluate
import PostKitLanguage
import PostKitSyntax
import Testing

@testable import PostKitSession

@Suite struct DocumentCachesTests {
  @Test func `a look that begins while another goes on knows what was found before both`() {
    let caches = DocumentCaches()
    let uri = DocumentURI("file:///a.http")
    caches.open(uri)
    #expect(caches[uri]?.diagnostics == nil)
    caches.keep(uri) { $0.diagnostics = looked() }
    #expect(caches[uri]?.diagnostics?.isEmpty == false)
    #expect(caches[uri]?.diagnostics?.isEmpty == false)
  }

  @Test func `what was found in a closed document is forgotten, also by a look that ends later`() {
    let caches = DocumentCaches()
    let uri = DocumentURI("file:///a.http")
    caches.open(uri)
    caches.keep(uri) { $0.diagnostics = looked() }
    caches.close(uri)
    #expect(caches[uri] == nil)
    caches.keep(uri) { $0.diagnostics = looked() }
    #expect(caches[uri] == nil)
  }

  /// A cache after a look at a file.
  private func looked() -> DiagnosticsCache {
    let document = ParsedDocument(bytes: Array("GET https://a.test\n".utf8))
    let context = EvaluationContext(
      now: { 0 }, localOffsetSeconds: { _ in 0 }, random: { 0 }, processEnvironment: { _ in nil },
      readFile: { _ in .missing }, resolvePath: { _ in nil }, exampleServer: { nil },
      exchange: { _ in nil })
    let analysis = Analysis(
      document: document,
      scope: Scope(
        document: document, environments: EnvironmentSet(sources: [], active: nil),
        dialect: Dialect()),
      context: context, defaults: RequestDefaults(userAgent: "test"))
    var cache = DiagnosticsCache()
    _ = analysis.diagnostics(limit: 10, reusing: &cache)
    return cache
  }
}
