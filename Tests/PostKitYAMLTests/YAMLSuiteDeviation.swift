// In which cases of yaml-test-suite libyaml is known to be wrong, and what they are about.

/// What libyaml gets wrong in some cases of the suite.
struct YAMLSuiteDeviation {
  /// How it differs.
  enum Kind {
    /// It refuses a text that is YAML.
    case refused
    /// It accepts a text that is none.
    case accepted
    /// It reads another structure.
    case otherEvents
  }

  let kind: Kind
  /// What the cases have in common, in a clause.
  let reason: String
  /// The cases, with blanks between them.
  let cases: String

  /// The known ones: what is no longer among them, or is new, fails the test.
  static let known: [YAMLSuiteDeviation] = [
    YAMLSuiteDeviation(
      kind: .refused, reason: "the name of a member is empty",
      cases: "2JQS CFD4 FRK4 M2N8/0 NHX8 NKF9 S3PD SM9W/1 UKK6/0"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "between braces the colon or the rest of a name is on the next line",
      cases: "4MUZ/0 4MUZ/1 4MUZ/2 5MUD 9SA2 K3WX NJ66 VJP3/1"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "between brackets a text begins with a colon, or has one at its end",
      cases: "4ABK 58MP 5T43 DBG4 HM87/0"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a tab separates, or stands in a line that is otherwise empty",
      cases: "6BCT 6CA3 A2M4 DK95/0 DK95/3 DK95/4 Q5MG Y79Y/10"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a block begins with a tab, or with lines of blanks",
      cases: "96NN/0 96NN/1 R4YG Y79Y/1"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a block that is the whole document is not indented",
      cases: "DK3J FP8R"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a directive has an unknown name or is of a later version",
      cases: "2LFX 6LVF BEC7 MUS6/5 MUS6/6 ZYU8/1 ZYU8/2 ZYU8/3"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a percent sign begins a line that is no directive",
      cases: "UT92 W4TN"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "a document after `...` has no `---`, or there is none before it",
      cases: "7Z25 HWV9 M7A3 QT73"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "the name of an anchor has other characters than letters and digits",
      cases: "2SXE 8XYN W5VH"),
    YAMLSuiteDeviation(
      kind: .refused, reason: "an anchor stands behind the question mark of a name",
      cases: "6M2F"),
    YAMLSuiteDeviation(
      kind: .accepted, reason: "lines of a list or a quoted text are indented too little",
      cases: "9C9N DK95/1 QB6E Y79Y/3"),
    YAMLSuiteDeviation(
      kind: .accepted, reason: "no blank stands before a comment",
      cases: "9JBA CVW2 SU5Z X4QW"),
    YAMLSuiteDeviation(
      kind: .accepted,
      reason: "a directive follows without `...`, twice, or with rubbish behind it",
      cases: "9HCY EB22 MUS6/0 MUS6/1 RHX7"),
    YAMLSuiteDeviation(
      kind: .accepted, reason: "a dash between brackets is taken for a text",
      cases: "G5U8 YJV2"),
    YAMLSuiteDeviation(
      kind: .accepted, reason: "the lines of blanks before a block are longer than its indentation",
      cases: "S98Z"),
    YAMLSuiteDeviation(
      kind: .otherEvents, reason: "between brackets a question mark belongs to the text behind it",
      cases: "652Z HM87/1"),
    YAMLSuiteDeviation(
      kind: .otherEvents, reason: "a colon belongs to the name of an anchor", cases: "Y2GN"),
  ]

  /// The kind of each known case.
  static var kinds: [String: Kind] {
    var result: [String: Kind] = [:]
    for each in known {
      for name in each.cases.split(separator: " ") { result[String(name)] = each.kind }
    }
    return result
  }
}
