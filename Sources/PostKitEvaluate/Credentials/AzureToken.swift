// REST Client's references to tokens, as configurations: `$aadToken` and `$aadV2Token`
// (section 4.3).

import PostKitAuth
import PostKitHTTP
import PostKitJSON

/// The words behind the name of a reference, each of which may be left out, in one order.
struct OrderedWords {
  private var words: ArraySlice<String>

  init(_ text: String) {
    words = text.split { $0 == " " || $0 == "\t" }.map(String.init)[...]
  }

  /// Whether nothing is left that has no place.
  var isEmpty: Bool { words.isEmpty }

  /// Takes the next word where it is the one that can stand here.
  mutating func take(where fits: (String) -> Bool) -> String? {
    guard let word = words.first, fits(word) else { return nil }
    words.removeFirst()
    return word
  }

  /// Takes a word as it is; whether it was there.
  mutating func take(_ word: String) -> Bool { take { $0 == word } != nil }

  /// Takes what follows a name, such as `scopes:`.
  mutating func take(after name: String) -> String? {
    take { $0.hasPrefix(name) && $0.utf8.count > name.utf8.count }.map {
      String($0.dropFirst(name.count))
    }
  }
}

/// A cloud of Azure: where people sign in, and what its management is called.
private struct AzureCloud {
  let login: String
  let management: String

  static let byWord: [String: AzureCloud] = [
    "public": AzureCloud(
      login: "https://login.microsoftonline.com/", management: "https://management.azure.com/"),
    "cn": AzureCloud(
      login: "https://login.chinacloudapi.cn/",
      management: "https://management.chinacloudapi.cn/"),
    "de": AzureCloud(
      login: "https://login.microsoftonline.de/",
      management: "https://management.microsoftazure.de/"),
    "us": AzureCloud(
      login: "https://login.microsoftonline.us/",
      management: "https://management.usgovcloudapi.net/"),
    "ppe": AzureCloud(
      login: "https://login.windows-ppe.net/", management: "https://management.azure.com/"),
  ]

  /// The words of `$aadV2Token`.
  static let names = [
    "AzureCloud": "public", "AzureChinaCloud": "cn", "AzureUSGovernment": "us", "ppe": "ppe",
  ]
}

extension Evaluator {
  /// The value of a variable that a reference reads by itself; `nil` where it is empty.
  private mutating func setting(_ name: String, _ range: Range<Int>, _ offset: Int) -> String? {
    guard let definition = definition(name, at: offset) else { return nil }
    switch use(definition, at: range, place: .header, offset: offset) {
    case .value(let value):
      let text = value.substitutionText
      return text.isEmpty || value == .null ? nil : text
    case .unresolved(let kind):
      report(kind, range)
      return nil
    }
  }

  /// `$aadToken [new] [CLOUD] [TENANT] [aud:AUDIENCE]`; `nil` where the words are others.
  mutating func azureToken(
    _ arguments: String, at range: Range<Int>, offset: Int
  ) -> (AuthConfiguration, isNew: Bool)? {
    var words = OrderedWords(arguments)
    let isNew = words.take("new")
    let word = words.take { AzureCloud.byWord[$0] != nil } ?? "public"
    let tenant = words.take(where: Evaluator.isTenant) ?? "common"
    let audience = words.take(after: "aud:")
    guard words.isEmpty, let cloud = AzureCloud.byWord[word] else { return nil }
    var result = AuthConfiguration(id: "aadToken", dialect: .azure, grant: .deviceCode)
    result.clientID = setting("aadClientId", range, offset)
    result.clientAuthentication = ClientAuthentication.none
    result.deviceURL = "\(cloud.login)\(tenant)/oauth2/devicecode"
    result.tokenURL = "\(cloud.login)\(tenant)/oauth2/token"
    result.resources = [audience ?? cloud.management]
    return (result, isNew)
  }

  /// `$aadV2Token [new] [CLOUD] [appOnly] [scopes:A,B] [tenantId:T] [clientId:C]`; `nil` where the
  /// words are others.
  mutating func azureV2Token(
    _ arguments: String, at range: Range<Int>, offset: Int
  ) -> (AuthConfiguration, isNew: Bool)? {
    var words = OrderedWords(arguments)
    let isNew = words.take("new")
    let written = words.take { AzureCloud.names[$0] != nil }
    let isAppOnly = words.take("appOnly")
    let scopes = words.take(after: "scopes:")
    let tenant = words.take(after: "tenantId:") ?? setting("aadV2TenantId", range, offset)
    let client = words.take(after: "clientId:") ?? setting("aadV2ClientId", range, offset)
    guard words.isEmpty, Evaluator.isTenant(tenant ?? "common") || tenant?.isPlainWord == true
    else { return nil }
    let name = written ?? setting("aadV2Cloud", range, offset) ?? "AzureCloud"
    guard let cloud = AzureCloud.byWord[AzureCloud.names[name] ?? name] else { return nil }
    var result = AuthConfiguration(
      id: "aadV2Token", dialect: .azure, grant: isAppOnly ? .clientCredentials : .deviceCode)
    let base = "\(cloud.login)\(tenant ?? "common")/oauth2/v2.0/"
    result.tokenURL = base + "token"
    result.clientID = client
    if isAppOnly {
      result.clientAuthentication = .body
      result.clientSecret = setting("aadV2ClientSecret", range, offset)
      note(secret: result.clientSecret ?? "")
      result.scope = setting("aadV2AppUri", range, offset).map { $0 + "/.default" }
    } else {
      result.clientAuthentication = ClientAuthentication.none
      result.deviceURL = base + "devicecode"
      let asked = scopes ?? setting("aadV2Scopes", range, offset) ?? "openid,profile"
      var list = asked.split { $0 == "," || $0 == " " }.map(String.init)
      if !list.contains("openid") {
        list += ["openid", "profile"].filter { !list.contains($0) }
      }
      result.scope = list.joined(separator: " ")
    }
    return (result, isNew)
  }

  /// Whether a word is a domain or the number of a tenant.
  private static func isTenant(_ word: String) -> Bool {
    guard !word.contains(":"), !word.contains("/") else { return false }
    if word.contains(".") || word == "common" { return true }
    return word.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
      == [8, 4, 4, 4, 12] && word.allSatisfy { $0.isHexDigit || $0 == "-" }
  }
}

extension String {
  /// Whether it can be a part of a path as it is.
  fileprivate var isPlainWord: Bool {
    !isEmpty && utf8.allSatisfy { $0.isWordByte }
  }
}

extension UInt8 {
  fileprivate var isWordByte: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
