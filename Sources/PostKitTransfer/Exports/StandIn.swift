// What stands for a reference while a request is lowered to be written for another tool.

import PostKitEvaluate
import PostKitHTTP
import PostKitSyntax

/// A reference as digits: they pass through the making of URLs, forms, JSON and credentials as they
/// are, so that requests are read in one way whether they are sent or written for another tool.
struct StandIn: Sendable, Hashable {
  /// The reference as it is written, braces included.
  var written: String
  /// Where names in it are looked up.
  var offset: Int
  /// Whether it begins the target, which has been given a scheme for its sake.
  var beginsTarget = false

  /// What begins each. That an author writes these digits is less likely than that a disk fails.
  private static let start = Array("90417350826179".utf8)
  /// What ends each: no byte has this number.
  private static let end = Array("999".utf8)
  /// The scheme before one that begins a target.
  static let scheme = "http://"

  /// The digits, with a scheme before them where they begin a target.
  var text: String {
    let payload = "\(beginsTarget ? "1" : "0")\(offset) \(written)"
    let digits = payload.utf8.map { byte in
      let number = String(byte)
      return String(repeating: "0", count: 3 - number.count) + number
    }
    return (beginsTarget ? StandIn.scheme : "") + String(decoding: StandIn.start, as: UTF8.self)
      + digits.joined() + String(decoding: StandIn.end, as: UTF8.self)
  }

  /// Makes one.
  init(written: String, offset: Int, beginsTarget: Bool) {
    self.written = written
    self.offset = offset
    self.beginsTarget = beginsTarget
  }

  private init?(payload: [UInt8]) {
    guard let blank = payload.firstIndex(of: 32), blank > 1,
      let offset = Int(String(decoding: payload[1..<blank], as: UTF8.self))
    else { return nil }
    self.init(
      written: String(decoding: payload[(blank + 1)...], as: UTF8.self), offset: offset,
      beginsTarget: payload[0] == UInt8(ascii: "1"))
  }

  /// A part of a text with stand-ins.
  enum Part {
    case literal([UInt8])
    case standIn(StandIn)
  }

  /// The parts of bytes in which stand-ins may be.
  static func parts(_ bytes: [UInt8]) -> [Part] {
    var result: [Part] = []
    var literal: [UInt8] = []
    var at = 0
    while at < bytes.count {
      if bytes[at] == start[0], bytes[at...].starts(with: start),
        let (found, end) = read(bytes, at + start.count)
      {
        if !literal.isEmpty { result.append(.literal(literal)) }
        literal = []
        result.append(.standIn(found))
        at = end
      } else {
        literal.append(bytes[at])
        at += 1
      }
    }
    if !literal.isEmpty { result.append(.literal(literal)) }
    return result
  }

  private static func read(_ bytes: [UInt8], _ place: Int) -> (StandIn, end: Int)? {
    var payload: [UInt8] = []
    var at = place
    while at + 3 <= bytes.count {
      guard let number = Int(String(decoding: bytes[at..<at + 3], as: UTF8.self)) else {
        return nil
      }
      at += 3
      if number == 999 { return StandIn(payload: payload).map { ($0, at) } }
      guard let byte = UInt8(exactly: number) else { return nil }
      payload.append(byte)
    }
    return nil
  }
}
