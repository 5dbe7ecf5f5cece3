// What services have said of themselves: kept until they are asked again.

extension Store {
  /// Keeps what a service has said, in place of what it said before.
  package func keep(_ service: Model.DescribedService) throws(StoreFailure) {
    try change(Model.DescribedService.self) { connection throws(SQLiteError) in
      try connection.delete(Model.DescribedService.self) {
        $0.kind == service.kind.rawValue && $0.key == service.key
          && $0.environment == service.environment
      }
      try connection.insert(service)
    }
  }

  /// What a service has said in an environment; `nil` where it was never asked.
  package func service(
    _ kind: Model.DescribedService.Kind, key: String, environment: String
  ) throws(StoreFailure) -> Model.DescribedService? {
    try fetch(
      FetchDescriptor<Model.DescribedService>(where: {
        $0.kind == kind.rawValue && $0.key == key && $0.environment == environment
      })
    ).first
  }

  /// When a service was asked in an environment, in milliseconds since 1970-01-01T00:00:00Z, which
  /// tells what it said from what it says later; `nil` where it was never asked.
  package func serviceTime(
    _ kind: Model.DescribedService.Kind, key: String, environment: String
  ) throws(StoreFailure) -> Int64? {
    try fetch(
      FetchDescriptor<Model.DescribedService>(where: {
        $0.kind == kind.rawValue && $0.key == key && $0.environment == environment
      })
    ) { $0.time }.first
  }

  /// When services were asked, which tells what they have said from what they say later.
  package func serviceTimes(
    _ kind: Model.DescribedService.Kind
  ) throws(StoreFailure) -> [Int64] {
    try fetch(
      FetchDescriptor<Model.DescribedService>(where: { $0.kind == kind.rawValue })
    ) { $0.time }
  }

  /// Forgets what a service has said in all environments; answers in how many it was known.
  @discardableResult
  package func forgetService(
    _ kind: Model.DescribedService.Kind, key: String
  ) throws(StoreFailure) -> Int {
    try delete(Model.DescribedService.self) { $0.kind == kind.rawValue && $0.key == key }
  }
}
