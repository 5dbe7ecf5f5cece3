// Which recording answers which request (IO-44).

import PostKitHTTP
import Testing

@testable import PostKitMock

@Suite struct MockBookTests {
  /// A recording of a path, answered with a status.
  static func recording(
    _ method: String, _ path: String, query: [HeaderField]? = [], body: String? = nil,
    status: Int = 200, headers: HeaderFields = [], rank: Int = 0, at time: Int64 = 0
  ) -> MockRecording {
    var recording = MockRecording(
      source: "\(method) \(path)", method: method,
      path: path.split(separator: "/").map { $0 == "*" ? .parameter : .literal(String($0)) },
      query: query, requestBody: body.map { Array($0.utf8) }, status: status, headers: headers)
    recording.rank = rank
    recording.recordedAt = time
    return recording
  }

  /// The numbers of the recordings that answer a request.
  private func found(
    _ recordings: [MockRecording], _ method: String, _ path: String, query: [HeaderField] = [],
    headers: HeaderFields = [], body: String = "", matching: [String] = []
  ) -> [Int] {
    let request = MockRequest(
      method: method, path: path.split(separator: "/").map(String.init), query: query,
      headers: headers, body: Array(body.utf8))
    guard case .found(let indexes) = MockBook(recordings, matchingHeaders: matching).choose(request)
    else { return [] }
    return indexes
  }

  private typealias Own = MockBookTests

  @Test func `the method and the path must fit, and text beats what may be anything`() {
    let all = [
      Own.recording("GET", "/orders/*"), Own.recording("GET", "/orders/7"),
      Own.recording("POST", "/orders/7"), Own.recording("GET", "/*/9"),
    ]
    #expect(found(all, "GET", "/orders/7") == [1])
    #expect(found(all, "GET", "/orders/8") == [0])
    #expect(found(all, "POST", "/orders/7") == [2])
    #expect(found(all, "PUT", "/orders/7") == [])
    #expect(found(all, "GET", "/Orders/7") == [])
    #expect(found(all, "GET", "/orders/9") == [0, 3])
    #expect(found(all, "HEAD", "/orders/7") == [1])
  }

  @Test func `what was recorded of one thing answers for others of its kind`() {
    let other = "0193f2a0-0000-7000-8000-000000000001"
    let all = [
      Own.recording("GET", "/orders/17", at: 1), Own.recording("GET", "/orders/16", at: 2),
      Own.recording("GET", "/users/1/orders/17", at: 3),
      Own.recording("GET", "/users/2/orders/17", at: 4),
      Own.recording("GET", "/orders/new", at: 5), Own.recording("POST", "/orders/17", at: 6),
    ]
    #expect(found(all, "GET", "/orders/17") == [0])
    // The newest alone: the others are no later answers to the same request.
    #expect(found(all, "GET", "/orders/18") == [1])
    #expect(found(all, "HEAD", "/orders/18") == [1])
    #expect(found(all, "GET", "/orders/\(other)") == [1])
    #expect(found(all, "GET", "/orders/old") == [])
    #expect(found(all, "GET", "/orders/new") == [4])
    #expect(found(all, "GET", "/users/1/orders/99") == [2])
    #expect(found(all, "GET", "/users/3/orders/99") == [3])
    #expect(found(all, "GET", "/users/3/orders") == [])
    #expect(found(all, "POST", "/orders/18") == [5])
    #expect(found(all, "PUT", "/orders/18") == [])
  }

  @Test func `an error of one thing does not answer for others while one of them was fine`() {
    let all = [
      Own.recording("GET", "/widgets/5", at: 1),
      Own.recording("GET", "/widgets/999", status: 404, at: 2),
    ]
    #expect(found(all, "GET", "/widgets/6") == [0])
    #expect(found(all, "HEAD", "/widgets/6") == [0])
    #expect(found(all, "GET", "/widgets/999") == [1])
    #expect(found(all, "GET", "/widgets/6", headers: [("Prefer", "code=404")]) == [1])
    #expect(found([all[1]], "GET", "/widgets/6") == [0])
    var pinned = all[1]
    pinned.isPinned = true
    #expect(found([all[0], pinned], "GET", "/widgets/6") == [1])
  }

  @Test func `no example stands for another, and earlier sources go before what is like it`() {
    let example = Own.recording("GET", "/orders/17")
    #expect(found([example], "GET", "/orders/18") == [])
    let template = Own.recording("GET", "/orders/*", rank: 1)
    let recorded = Own.recording("GET", "/orders/17", rank: 0, at: 1)
    #expect(found([recorded, template], "GET", "/orders/18") == [0])
    #expect(found([recorded, template], "GET", "/orders/x") == [1])
    var late = recorded
    late.rank = 2
    #expect(found([template, late], "GET", "/orders/18") == [0])
    #expect(found([template, late], "GET", "/orders/17") == [1])
  }

  @Test func `the same query beats the same names, and those beat a part`() {
    let all = [
      Own.recording("GET", "/a", query: [HeaderField("p", "1")]),
      Own.recording("GET", "/a", query: [HeaderField("p", "2")]),
      Own.recording("GET", "/a", query: []),
      Own.recording("GET", "/a", query: [HeaderField("p", "1"), HeaderField("q", "1")]),
    ]
    #expect(found(all, "GET", "/a", query: [HeaderField("p", "2")]) == [1])
    #expect(found(all, "GET", "/a", query: [HeaderField("p", "9")]) == [0, 1])
    #expect(
      found(all, "GET", "/a", query: [HeaderField("q", "1"), HeaderField("p", "1")]) == [3])
    #expect(found(all, "GET", "/a", query: [HeaderField("x", "1")]) == [2])
    #expect(found([all[3]], "GET", "/a", query: [HeaderField("p", "1")]) == [])
  }

  @Test func `bodies of JSON are equal by value, and GraphQL by its operation`() {
    let all = [
      Own.recording("POST", "/a", body: #"{"a": 1.0, "b": [1]}"#),
      Own.recording("POST", "/a", body: #"{"query":"q A","operationName":"A"}"#),
      Own.recording("POST", "/a", body: #"{"query":"q B","operationName":"B"}"#),
      Own.recording("POST", "/a", body: "plain"),
    ]
    #expect(found(all, "POST", "/a", body: #"{"b":[1],"a":1}"#) == [0])
    #expect(
      found(all, "POST", "/a", body: #"{"query":"q  B","operationName":"B","variables":{}}"#) == [2])
    #expect(found(all, "POST", "/a", body: "plain") == [3])
    #expect(found(all, "POST", "/a", body: "other").count == 4)
  }

  @Test func `the type that a client takes, and headers that must be equal`() {
    let all = [
      Own.recording("GET", "/a", headers: [("Content-Type", "text/csv")]),
      Own.recording("GET", "/a", headers: [("Content-Type", "application/json; charset=utf-8")]),
    ]
    #expect(found(all, "GET", "/a", headers: [("Accept", "application/*;q=0.5")]) == [1])
    #expect(found(all, "GET", "/a", headers: [("Accept", "image/png")]) == [0, 1])
    var tenant = all[0]
    tenant.requestHeaders = [("X-Tenant", "a")]
    let own: HeaderFields = [("X-Tenant", "a")]
    #expect(found([tenant], "GET", "/a", headers: own, matching: ["x-tenant"]) == [0])
    #expect(found([tenant], "GET", "/a", matching: ["x-tenant"]) == [])
  }

  @Test func `an example is asked for by name or status`() {
    var named = Own.recording("GET", "/a", status: 404)
    named.name = "none"
    let all = [Own.recording("GET", "/a"), named]
    #expect(found(all, "GET", "/a", headers: [("X-PostKit-Example", "None")]) == [1])
    #expect(found(all, "GET", "/a", headers: [("Prefer", "code=404")]) == [1])
    #expect(found(all, "GET", "/a", headers: [("Prefer", "wait=1, example=\"none\"")]) == [1])
    #expect(found(all, "GET", "/a", headers: [("Prefer", "code=500")]) == [])
  }

  @Test func `earlier sources win, pinned ones win among equals, and time orders the rest`() {
    var pinned = Own.recording("GET", "/a", rank: 1, at: 5)
    pinned.isPinned = true
    let later = [
      Own.recording("GET", "/a", rank: 1, at: 9), Own.recording("GET", "/a", rank: 1, at: 7),
    ]
    #expect(found(later, "GET", "/a") == [1, 0])
    #expect(found(later + [pinned], "GET", "/a") == [2])
    #expect(found(later + [Own.recording("GET", "/a")], "GET", "/a") == [2])
  }

  @Test func `a request that was never sent gets the newest of those alike`() {
    let alike = (1...3).map { number in
      Own.recording("POST", "/orders", body: "{\"n\": \(number)}", at: Int64(number))
    }
    #expect(found(alike, "POST", "/orders", body: "{\"n\": 9}") == [2])
    #expect(found(alike, "POST", "/orders", body: "{\"n\": 2}") == [1])
  }

  @Test func `what is not there names the nearest with the reason`() {
    let all = [
      Own.recording("GET", "/orders/7"), Own.recording("POST", "/orders"),
      Own.recording("GET", "/far/away/from/here"),
      Own.recording("GET", "/orders", query: [HeaderField("page", "1")]),
    ]
    let request = MockRequest(method: "GET", path: ["orders"])
    guard case .missing(let nearest) = MockBook(all).choose(request) else {
      Issue.record("something answers")
      return
    }
    #expect(nearest.map(\.recording.source) == ["GET /orders", "POST /orders", "GET /orders/7"])
    #expect(nearest[0].reason == "its query has pairs that the request lacks")
    #expect(nearest[1].reason == "its method differs")
  }
}
