// Names of things as names of files that every system can have.

/// Gives the things of one folder file names that differ, also where case doesn't count.
struct PortableFileNames {
  private var taken: Set<String>
  /// How many things have each name so far.
  private var counts: [String: Int] = [:]

  /// The bytes of a file name, without what makes it differ and its extension.
  private static let length = 80
  /// Names that Windows keeps for devices.
  private static let devices: Set<String> = Set(
    ["con", "prn", "aux", "nul"] + (1...9).flatMap { ["com\($0)", "lpt\($0)"] })

  /// No name is taken but those given.
  init(taken: Set<String>) { self.taken = Set(taken.map { $0.lowercased() }) }

  /// Keeps a name from being given; whether it was free.
  @discardableResult mutating func take(_ name: String) -> Bool {
    taken.insert(name.lowercased()).inserted
  }

  /// A file name for something; `fallback` where its name has nothing that a file name can have.
  mutating func name(for title: String, extension suffix: String, fallback: String) -> String {
    var stem = ""
    for scalar in title.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      let kept = isPlain || " -_.()".unicodeScalars.contains(scalar)
      if !kept, stem.last == "-" { continue }
      stem.unicodeScalars.append(kept ? scalar : "-")
      if stem.utf8.count >= PortableFileNames.length { break }
    }
    let isEdge: (Character) -> Bool = { " -.".contains($0) }
    stem = String(stem.drop(while: isEdge))
    while let last = stem.last, isEdge(last) { stem.removeLast() }
    let isDevice = PortableFileNames.devices.contains(
      String(stem.lowercased().prefix { $0 != "." }))
    if stem.isEmpty || isDevice { stem = fallback + (stem.isEmpty ? "" : "-" + stem) }
    while true {
      let number = counts[stem.lowercased(), default: 0] + 1
      counts[stem.lowercased()] = number
      let name = (number == 1 ? stem : "\(stem) \(number)") + suffix
      if taken.insert(name.lowercased()).inserted { return name }
    }
  }
}
