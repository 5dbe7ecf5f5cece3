// How a body is taken apart while it comes in (SC-31).

import Testing

@testable import PostKitTransport

@Suite struct ItemSplitterTests {
  /// The items of a body that comes in pieces of a size.
  private static func items(_ body: String, _ form: ItemForm, pieces size: Int) -> [String] {
    var splitter = ItemSplitter(form)
    var found: [String] = []
    var rest = Array(body.utf8)[...]
    while !rest.isEmpty {
      found += splitter.items(in: rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    return found + splitter.rest()
  }

  @Test(arguments: [1, 2, 3, 1_000])
  func `lines end in any of the three ways`(size: Int) {
    let body = "one\ntwo\r\nthr\u{E9}e\r\n\nfour\rfive"
    #expect(
      Self.items(body, .lines, pieces: size) == ["one", "two", "thr\u{E9}e", "", "four", "five"])
  }

  @Test(arguments: [1, 2, 3, 1_000])
  func `the data of an event are its lines of data`(size: Int) {
    let body =
      ": hello\n\nid: 7\nevent: x\ndata: one\ndata:two\n\nretry: 5\n\ndata\r\n\r\n"
      + "data:  last"
    #expect(Self.items(body, .events, pieces: size) == ["one\ntwo", "", " last"])
  }
}
