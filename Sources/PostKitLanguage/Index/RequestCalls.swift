// Who feeds whom: which requests a request reads or runs, and which read or run it.

/// A request as one end of a call.
package struct CallableRequest: Sendable {
  package var place: ProjectIndex.Place
  package var file: FileNames
  package var request: IndexedRequest
  /// The whole block, and the line or name that stands for it.
  package var range: Range<Int>
  package var selection: Range<Int>
}

extension ProjectIndex {
  /// A block that can be called; `nil` where there is none.
  package func callable(_ place: Place) -> CallableRequest? {
    guard let file = files[place.path], file.parts.indices.contains(place.block) else { return nil }
    let part = file.parts[place.block]
    guard let request = part.names.request else { return nil }
    let selection = request.selection
    return CallableRequest(
      place: place, file: file, request: request,
      range: part.start..<part.start + part.names.count,
      selection: selection.lowerBound + part.start..<selection.upperBound + part.start)
  }

  /// The requests that are meant at an offset: those that a name there means, else the one around.
  package func callables(in path: String, at offset: Int) -> [CallableRequest] {
    if let (meaning, _) = meaning(in: path, at: offset), case .requests(let places) = meaning {
      return places.compactMap(callable)
    }
    guard let block = files[path]?.block(at: offset) else { return [] }
    return [callable(Place(path: path, block: block))].compactMap { $0 }
  }

  /// The requests whose answers a request reads or that it runs, each with the places in its file
  /// that say so.
  package func calls(from place: Place) -> [(to: CallableRequest, ranges: [Range<Int>])] {
    var ranges: [Place: [Range<Int>]] = [:]
    for (target, range) in targets(of: place) where target != place {
      ranges[target, default: []].append(range)
    }
    return ranges.keys.sorted().compactMap { target in
      callable(target).map { ($0, ranges[target] ?? []) }
    }
  }

  /// The requests that read the answer of a request, or run it.
  package func calls(to place: Place) -> [(from: CallableRequest, ranges: [Range<Int>])] {
    guard let group = groupOfFile[place.path] else { return [] }
    return groups[group].flatMap { path -> [(from: CallableRequest, ranges: [Range<Int>])] in
      guard let file = files[path] else { return [] }
      return file.parts.indices.compactMap { block in
        let own = Place(path: path, block: block)
        guard own != place, let caller = callable(own) else { return nil }
        let ranges = targets(of: own).filter { $0.target == place }.map(\.range)
        return ranges.isEmpty ? nil : (caller, ranges)
      }
    }
  }

  /// What a block reads or runs, each with the place that says so.
  private func targets(of place: Place) -> [(target: Place, range: Range<Int>)] {
    guard let file = files[place.path] else { return [] }
    let occurrences = file.occurrences(inBlock: place.block)
    let later = Set(occurrences.filter { $0.role == .responseVariable }.map(\.name))
    var result: [(target: Place, range: Range<Int>)] = []
    for occurrence in occurrences where !occurrence.isDefinition {
      // What is defined by an answer is read when that is there.
      if let owner = occurrence.owner, later.contains(owner) { continue }
      var seen: Set<String> = []
      for target in targets(of: occurrence, in: file, &seen)
      where !result.contains(where: { $0.target == target && $0.range == occurrence.range }) {
        result.append((target, occurrence.range))
      }
    }
    return result
  }

  private func targets(
    of occurrence: NameOccurrence, in file: FileNames, _ seen: inout Set<String>
  ) -> [Place] {
    if occurrence.role == .runPath {
      guard let target = files[occurrence.name] else { return [] }
      return target.parts.indices.filter { target.parts[$0].names.request?.isRequest ?? false }
        .map { Place(path: target.path, block: $0) }
    }
    switch meaning(of: occurrence, in: file) {
    case .requests(let places): return places
    case .variable(let name): return targets(ofVariable: name, in: file, &seen)
    case .member, .file, .client: return []
    }
  }

  /// The requests that a variable gets its value from: by its definition, or by their answers.
  private func targets(
    ofVariable name: String, in file: FileNames, _ seen: inout Set<String>
  ) -> [Place] {
    guard let group = groupOfFile[file.path], seen.insert(name).inserted else { return [] }
    let isOwn = file.tally.definitions[name] != nil
    var result: [Place] = []
    for path in isOwn ? [file.path] : groups[group] {
      guard let other = files[path], other.tally.definitions[name] != nil else { continue }
      for (block, part) in other.parts.enumerated() {
        for occurrence in part.names.occurrences {
          let isAnswered =
            occurrence.role == .responseVariable
            || occurrence.isOfScript && occurrence.isDefinition
          if isAnswered, occurrence.name == name {
            result.append(Place(path: path, block: block))
          } else if occurrence.owner == name, !occurrence.isDefinition {
            result += targets(of: occurrence, in: other, &seen)
          }
        }
      }
    }
    return result
  }
}
