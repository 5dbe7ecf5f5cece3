// Who is shown what while somebody signs in, and what ends it (AU-34 to AU-39).

import PostKitAuth
import PostKitSupport
import Synchronization
import Testing

@testable import PostKitRunner

/// A person who answers as a test says, and what they were shown.
private final class FakePerson: SignInHost {
  struct Seen {
    var opened: [String] = []
    var notices: [SignInNotice] = []
    var titles: [String] = []
  }

  let seen = Mutex(Seen())
  let opensPages = false
  private let opens: Bool
  private let choices: Mutex<[SignInChoice]>
  private let pasted: String?
  private let pastes: Bool

  init(
    opens: Bool = true, choices: [SignInChoice] = [.dismissed], pastes: Bool = false,
    pasted: String? = nil
  ) {
    self.opens = opens
    self.choices = Mutex(choices)
    self.pastes = pastes
    self.pasted = pasted
  }

  func open(_ url: String) async -> Bool {
    seen.withLock { $0.opened.append(url) }
    return opens
  }

  /// Without a choice left, the notice stands until the task ends.
  func show(_ notice: SignInNotice) async -> SignInChoice {
    seen.withLock { $0.notices.append(notice) }
    let choice = choices.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if let choice { return choice }
    // Cancelled, which is what it waits for.
    try? await Alarm.sleep(milliseconds: 3_600_000)
    return .dismissed
  }

  var canPaste: Bool { get async { pastes } }

  func paste(_ title: String) async -> String? {
    seen.withLock { $0.titles.append(title) }
    return pasted
  }

  func progress(_ sentence: String) async {}
}

@Suite(.timeLimit(.minutes(5))) struct SignInStepTests {
  private func visit(_ url: String = "https://id.example:8443/auth?x=1") -> BrowserVisit {
    BrowserVisit(
      url: url, redirectURI: "https://app.example/cb", state: "right", isListened: false,
      takesBareCode: true, readsFragment: false)
  }

  private func run(
    _ person: FakePerson, _ visit: BrowserVisit, listener: RedirectListener? = nil, seconds: Int = 0
  ) async -> Result<GrantEvent, AuthFailure> {
    await BrowserStep(
      visit: visit, listener: listener, host: person, seconds: seconds,
      loginCommand: "postkit auth login a.http --id shop"
    ).run()
  }

  private func listener() throws -> RedirectListener {
    try RedirectListener.start(
      RedirectPlace(
        addresses: .one("127.0.0.1"), port: 0, path: "/callback",
        template: "http://127.0.0.1:{port}/callback")
    ).get()
  }

  @Test func `Where nobody listens, the address is pasted`() async throws {
    let person = FakePerson(pastes: true, pasted: "  https://app.example/cb?code=1\n&state=right\n")
    let event = try await run(person, visit()).get()
    #expect(event == .pasted("https://app.example/cb?code=1&state=right"))
    let seen = person.seen.withLock { $0 }
    #expect(seen.opened == ["https://id.example:8443/auth?x=1"])
    #expect(seen.titles == ["Sign-in: paste the address that the browser ends at"])
  }

  @Test func `Who pastes nothing has ended the sign-in`() async throws {
    #expect(try await run(FakePerson(pastes: true), visit()).get() == .declined)
  }

  @Test func `Where nobody can paste, nothing is opened and the command is told`() async {
    let person = FakePerson()
    guard case .failure(let failure) = await run(person, visit()) else {
      Issue.record("It went on.")
      return
    }
    #expect(failure.code == .authPasteNeeded)
    #expect(failure.message.hasSuffix("Run `postkit auth login a.http --id shop` in a terminal."))
    #expect(person.seen.withLock { $0.opened } == [])
  }

  @Test(arguments: ["file:///etc/passwd", "javascript:alert(1)", "--help", "https:", ""])
  func `Only pages are opened`(url: String) async {
    let person = FakePerson(pastes: true)
    guard case .failure = await run(person, visit(url)) else {
      Issue.record("It went on.")
      return
    }
    #expect(person.seen.withLock { $0.opened } == [])
  }

  @Test func `A person who never comes back has a limit`() async throws {
    let listener = try listener()
    defer { listener.stop() }
    let person = FakePerson(choices: [])
    let event = try await run(person, visit(), listener: listener, seconds: 1).get()
    #expect(event == .timedOut(seconds: 1))
    let notice = person.seen.withLock { $0.notices[0] }
    #expect(notice.isOpened && notice.sentence.contains("Sign in at id.example:8443 with a"))
  }

  @Test func `Cancel ends a sign-in, and what is asked for is opened again`() async throws {
    let listener = try listener()
    defer { listener.stop() }
    let person = FakePerson(opens: false, choices: [.open, .open, .cancel])
    #expect(try await run(person, visit(), listener: listener).get() == .declined)
    #expect(person.seen.withLock { $0.opened.count } == 3)
  }

  @Test func `A task that is cancelled ends all of it`() async throws {
    let listener = try listener()
    defer { listener.stop() }
    let person = FakePerson(choices: [])
    let visit = visit()
    let event = await withTaskGroup { group in
      group.addTask { await run(person, visit, listener: listener) }
      group.cancelAll()
      return await group.next()
    }
    #expect(try event?.get() == .declined)
  }

  private func code(waits: Bool = false, complete: String? = nil) -> DeviceCode {
    DeviceCode(
      userCode: "WDJB-MJHT", verificationURL: "https://id.example/device", completeURL: complete,
      expires: 0, waitsForBrowser: waits)
  }

  @Test func `A code is shown, and its page opened on demand alone`() async {
    let person = FakePerson(choices: [.open, .dismissed])
    let step = DeviceStep(code(complete: "https://id.example/device?c=W"), person)
    await step.show()
    let seen = person.seen.withLock { $0 }
    #expect(seen.opened == ["https://id.example/device?c=W"])
    #expect(seen.notices.map(\.isOpened) == [false, true])
    #expect(seen.notices[0].code == "WDJB-MJHT")
    #expect(
      seen.notices[0].sentence
        == "To sign in, enter the code WDJB-MJHT at https://id.example/device.")
    #expect(await step.wait(milliseconds: 0) == .waited)
  }

  @Test func `A page that a server names in place of one is not opened`() async {
    let person = FakePerson(choices: [.open, .dismissed])
    await DeviceStep(code(complete: "ssh://id.example"), person).show()
    #expect(person.seen.withLock { $0.opened } == [])
  }

  @Test func `Cancelling a code ends the wait for it`() async {
    let person = FakePerson(choices: [.cancel])
    let step = DeviceStep(code(waits: true), person)
    async let shown: Void = step.show()
    #expect(await step.shown() == .declined)
    #expect(await step.wait(milliseconds: 3_600_000) == .declined)
    await shown
  }

  @Test func `Polling waits for the page where it has to`() async {
    let person = FakePerson(choices: [.open])
    let step = DeviceStep(code(waits: true), person)
    let event = await withTaskGroup(of: Void.self) { group in
      group.addTask { await step.show() }
      let event = await step.shown()
      group.cancelAll()
      return event
    }
    #expect(event == .shown)
    #expect(person.seen.withLock { $0.opened } == ["https://id.example/device"])
  }
}
