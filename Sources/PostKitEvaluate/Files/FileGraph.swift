// Which of the request files that belong together name which.

/// Which files name which, each file once: a file may name another one thousands of times.
struct FileGraph {
  /// The files that each imports, in the order of its lines.
  private let imports: [[Int]]
  /// The files that import or run each.
  private let parents: [[Int]]

  /// Reads the lines of files.
  init(_ files: [RequestFiles.File]) {
    var parents = files.map { _ in [Int]() }
    imports = files.indices.map { index in
      var imported: [Int] = []
      var (seen, named): (Set<Int>, Set<Int>) = ([], [])
      for link in files[index].links {
        guard let target = link.target else { continue }
        if named.insert(target).inserted { parents[target].append(index) }
        if link.isImport, seen.insert(target).inserted { imported.append(target) }
      }
      return imported
    }
    self.parents = parents
  }

  /// The files that a file imports, the nearest first.
  func imported(by file: Int) -> [Int] {
    var result: [Int] = []
    var seen: Set<Int> = [file]
    func visit(_ index: Int) {
      for target in imports[index] where seen.insert(target).inserted {
        result.append(target)
        visit(target)
      }
    }
    visit(file)
    return result
  }

  /// The files whose names are seen in a file, the nearest first.
  func visible(from file: Int) -> [Int] {
    var result: [Int] = []
    var found: Set<Int> = [file]
    var next = [file]
    var seen: Set<Int> = []
    while !next.isEmpty {
      let index = next.removeFirst()
      guard seen.insert(index).inserted else { continue }
      result += ([index] + imported(by: index)).filter { found.insert($0).inserted }
      next += parents[index]
    }
    return result
  }
}
