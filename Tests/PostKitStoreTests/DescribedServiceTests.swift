// What services have said of themselves, kept until they are asked again.

import PostKitSupport
import PostKitTestSupport
import Testing

@testable import PostKitStore

@Suite struct DescribedServiceTests {
  private typealias Service = Model.DescribedService

  @Test(arguments: [
    ("https://Example.com/graphql?x=1#top", "https://example.com:443/graphql"),
    ("http://ada:secret@example.com", "http://example.com:80/"),
    ("http://[2001:DB8::1]:8080/a/b", "http://[2001:db8::1]:8080/a/b"),
    ("{{host}}/graphql", nil), ("", nil),
  ])
  func `a GraphQL service is an origin and a path`(url: String, key: String?) {
    #expect(Service.Kind.graphQL.key(of: url) == key)
  }

  @Test func `an OpenAPI description is its URL`() {
    #expect(
      Service.Kind.openAPI.key(of: "https://ada@example.com/a.json?v=2#x")
        == "https://example.com:443/a.json?v=2")
  }

  @Test func `what a service says takes the place of what it said`() async throws {
    let store = try await Store.inMemory()
    let key = try #require(Service.Kind.graphQL.key(of: "https://example.com/graphql"))
    let bytes: [UInt8] = [0, 0xFF, 34]
    for (environment, time) in [("dev", 1), ("", 2), ("dev", 3)] as [(String, Int64)] {
      try await store.keep(
        Service(
          .graphQL, key: key, environment: environment, time: time,
          content: bytes + [UInt8(time)]))
    }
    let dev = try #require(try await store.service(.graphQL, key: key, environment: "dev"))
    #expect(dev.time == 3 && dev.content == bytes + [3])
    #expect(try await store.serviceTime(.graphQL, key: key, environment: "") == 2)
    #expect(try await store.service(.graphQL, key: key, environment: "prod") == nil)
    #expect(try await store.service(.openAPI, key: key, environment: "dev") == nil)
    #expect(try await store.forgetService(.graphQL, key: key) == 2)
    #expect(try await store.serviceTime(.graphQL, key: key, environment: "dev") == nil)
  }

  @Test func `it outlives the history, and is there after a restart`() async throws {
    let place = try TemporaryDirectory()
    let store = try await Store.open(place.store)
    let service = Service(
      .openAPI, key: "https://example.com:443/", environment: "", time: 7, content: [1, 2])
    try await store.keep(service)
    try await store.record(Sample.exchange(1))
    _ = try await store.forget(.all)
    await store.close()
    let again = try await Store.open(place.store)
    #expect(
      try await again.service(.openAPI, key: service.key, environment: "") == service)
    await again.close()
  }
}
