// Texts as they are compared when somebody looks for words: without case and without accents,
// and by their bytes.

import Libc

/// Folds texts, so that `strasse` finds `Straße` and `arger` finds `Ärger`.
package enum FoldedText {
  /// A text with small letters of the base alphabet, without marks.
  ///
  /// Letters are small (`Lowercase_Mapping` of Unicode), marks (`Mn`) are left out, and letters
  /// with marks or ligatures become what they are made of (canonical decomposition). Those that
  /// Unicode takes for letters of their own, such as `ø` and `ß`, become what people type instead.
  package static func fold(_ text: String) -> String {
    var text = text
    if let plain = text.withUTF8(foldedASCII) { return plain }
    var folded = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        folded.append(small(scalar))
      } else if let base = bases[scalar] {
        folded.append(contentsOf: base.unicodeScalars)
      } else if scalar.properties.generalCategory != .nonspacingMark {
        for letter in scalar.properties.lowercaseMapping.unicodeScalars {
          if let base = bases[letter] {
            folded.append(contentsOf: base.unicodeScalars)
          } else if letter.properties.generalCategory != .nonspacingMark {
            folded.append(letter)
          }
        }
      }
    }
    return String(folded)
  }

  /// The text where all of it is ASCII, as in most requests; `nil` for others.
  private static func foldedASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { folded in
      for (at, byte) in bytes.enumerated() {
        folded[at] = (65...90).contains(byte) ? byte | 0x20 : byte
      }
      return bytes.count
    }
  }

  /// Whether folded bytes occur in the folded text of a column. Few values are more than ASCII;
  /// those of the others are compared where they lie.
  static func contains(_ needle: [UInt8], in row: Statement, column: Int32) -> Bool {
    let found: Bool? = row.look(at: column) { text in
      guard text.allSatisfy({ $0 < 0x80 }) else { return nil }
      guard text.count >= needle.count else { return false }
      return (0...(text.count - needle.count)).contains { start in
        needle.indices.allSatisfy { place in
          let byte = text[start + place]
          return needle[place] == ((65...90).contains(byte) ? byte | 0x20 : byte)
        }
      }
    }
    return found ?? ByteSearch.contains(needle, in: fold(row.text(column)))
  }

  private static func small(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
  }

  /// What letters become.
  static let bases: [Unicode.Scalar: String] = {
    var bases: [Unicode.Scalar: String] = [
      "ß": "ss", "æ": "ae", "œ": "oe", "þ": "th", "ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi",
      "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "ǽ": "ae", "ǣ": "ae", "ĳ": "ij", "ŉ": "n",
    ]
    for group in groups.split(separator: " ") {
      let letters = group.unicodeScalars
      for letter in letters.dropFirst() { bases[letter] = letters.first.map { String($0) } }
    }
    return bases
  }()

  /// Letters that the index of words keeps as they are, with what they become here, by its first
  /// letter. The index takes marks away from Latin letters alone (`remove_diacritics`).
  static let keptLetters: [Unicode.Scalar: [(base: [Unicode.Scalar], letter: Unicode.Scalar)]] = {
    var kept: [Unicode.Scalar: [(base: [Unicode.Scalar], letter: Unicode.Scalar)]] = [:]
    for (letter, base) in bases {
      let scalars = Array(base.unicodeScalars)
      guard let first = scalars.first else { continue }
      let isLatinWithMarks = scalars.count == 1 && first.isASCII && !unmarked.contains(letter)
      if !isLatinWithMarks { kept[first, default: []].append((scalars, letter)) }
    }
    return kept
  }()

  /// Letters that become a single letter of ASCII, though they have no mark that could be taken
  /// away, or none that the index knows.
  private static let unmarked = Set("ŉǡðđħıłøǿŧ".unicodeScalars)

  /// Each base with the letters that become it.
  private static let groups = """
    aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ bḃḅḇ cçćĉċčḉ dðďđḋḍḏḑḓ eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ fḟ gĝğġģǧǵḡ \
    hĥħȟḣḥḧḩḫẖ iìíîïĩīĭįıǐȉȋḭḯỉị jĵǰ kķǩḱḳḵ lĺļľłḷḹḻḽ mḿṁṃ nñńņňǹṅṇṉṋ \
    oòóôõöøōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ pṕṗ rŕŗřȑȓṙṛṝṟ sśŝşšſșṡṣṥṧṩẛ tţťŧțṫṭṯṱẗ \
    uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự vṽṿ wŵẁẃẅẇẉẘ xẋẍ yýÿŷȳẏẙỳỵỷỹ zźżžẑẓẕ ʒǯ \
    αάἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ εέἐἑἒἓἔἕὲέ ηήἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ ιΐίϊἰἱἲἳἴἵἶἷὶίιῐῑῒΐῖῗ \
    οόὀὁὂὃὄὅὸό ρῤῥ σς υΰϋύὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ ωώὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ аӑӓ гѓ еѐёӗ жӂӝ зӟ ийѝӣӥ кќ \
    оӧ уўӯӱӳ чӵ ыӹ эӭ ії ѵѷ әӛ өӫ うゔ かが きぎ くぐ けげ こご さざ しじ すず せぜ そぞ ただ ちぢ つづ てで とど はばぱ ひびぴ ふぶぷ へべぺ \
    ほぼぽ ゝゞ ウヴ カガ キギ クグ ケゲ コゴ サザ シジ スズ セゼ ソゾ タダ チヂ ツヅ テデ トド ハバパ ヒビピ フブプ ヘベペ ホボポ ワヷ ヰヸ ヱヹ ヲヺ ヽヾ
    """
}

/// Finds texts by their bytes, as the C library does it: a comparison of characters takes a hundred
/// times as long.
enum ByteSearch {
  /// Whether some bytes occur in others.
  static func contains(_ needle: [UInt8], in bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = needle.first else { return true }
    guard var start = bytes.baseAddress else { return false }
    let end = start + bytes.count
    return needle.withUnsafeBytes { needle in
      guard let wanted = needle.baseAddress else { return true }
      while start + needle.count <= end {
        let room = end - start - needle.count + 1
        guard let found = memchr(start, Int32(first), room) else { return false }
        if memcmp(found, wanted, needle.count) == 0 { return true }
        start = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }

  /// Whether some bytes occur in a text.
  static func contains(_ needle: [UInt8], in text: String) -> Bool {
    var text = text
    return text.withUTF8 { contains(needle, in: UnsafeRawBufferPointer($0)) }
  }
}
