// Durations as a person reads them, at the places where the unit changes.

import PostKitHTTP
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    (-1, "0 ms"), (0, "0 ms"), (340, "340 ms"), (999, "999 ms"), (1_000, "1.0 s"),
    (1_049, "1.0 s"), (1_050, "1.1 s"), (2_350, "2.4 s"), (10_011, "10.0 s"), (59_949, "59.9 s"),
    (59_950, "1 min 0 s"), (125_499, "2 min 5 s"), (125_500, "2 min 6 s"),
    (3_599_499, "59 min 59 s"), (3_599_500, "1 h 0 min"), (3_780_000, "1 h 3 min"),
  ])
  func `from one second on it is seconds, from one minute on minutes`(
    milliseconds: Int, text: String
  ) {
    #expect(DurationText.text(milliseconds) == text)
  }

  @Test(arguments: [
    (-5, "0.0 ms"), (340, "0.3 ms"), (9_949, "9.9 ms"), (9_950, "10 ms"), (340_000, "340 ms"),
    (999_499, "999 ms"), (999_500, "1.0 s"), (2_350_000, "2.4 s"),
  ] as [(Int64, String)])
  func `a step of a request is told with a tenth of a millisecond`(
    microseconds: Int64, text: String
  ) {
    #expect(DurationText.text(microseconds: microseconds) == text)
  }
}
