// Checks the line starts, which are found eight bytes at a time, against one byte at a time.

import PostKitTestSupport
import PostKitText
import Testing

@Suite struct LineStartTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `lines start behind LF, CRLF and a lone CR, wherever these stand`(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    let choices: [UInt8] = [0x0A, 0x0D, 0x0A, 0x09, 0x0B, 0x0C, 0x0E, 0x61, 0x8A, 0x8D, 0x00, 0xFF]
    for _ in 0..<200 {
      let bytes = (0..<generator.int(in: 0..<40)).map { _ in generator.pick(choices) }
      var starts: [UInt32] = [0]
      var hasLoneReturns = false
      for (place, byte) in bytes.enumerated() {
        let isBeforeFeed = place + 1 < bytes.count && bytes[place + 1] == 0x0A
        let isLone = byte == 0x0D && !isBeforeFeed
        if isLone { hasLoneReturns = true }
        if byte == 0x0A || isLone { starts.append(UInt32(place + 1)) }
      }
      let index = LineIndex(bytes)
      #expect(index.starts == starts, "\(bytes)")
      #expect(index.hasLoneReturns == hasLoneReturns, "\(bytes)")
      #expect(index.isASCII == bytes.allSatisfy { $0 < 0x80 }, "\(bytes)")
    }
  }
}
