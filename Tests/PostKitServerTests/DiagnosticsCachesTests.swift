// The caches of diagnostics, when a document is looked at twice at the same time.

import PostKitLanguage
import Testing

@testable import PostKitServer

@Suite struct DiagnosticsCachesTests {
  @Test func `a look that begins while another goes on knows what was found before both`() {
    let caches = DiagnosticsCaches()
    let uri = DocumentURI("file:///a.http")
    var found = DiagnosticsCache()
    found.revision = 7
    caches.keep(found, of: uri)
    #expect(caches[uri].revision == 7)
    #expect(caches[uri].revision == 7)
  }

  @Test func `what was found in a closed document is forgotten`() {
    let caches = DiagnosticsCaches()
    let uri = DocumentURI("file:///a.http")
    var found = DiagnosticsCache()
    found.revision = 7
    caches.keep(found, of: uri)
    caches.keep { _ in false }
    #expect(caches[uri].revision == 0)
  }
}
