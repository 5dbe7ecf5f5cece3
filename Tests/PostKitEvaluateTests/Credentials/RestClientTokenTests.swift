// REST Client's references to tokens (section 4.3).

import PostKitAuth
import PostKitEvaluate
import PostKitHTTP
import Testing

@Suite struct RestClientTokenTests {
  private func lower(
    _ reference: String, _ head: String = "@aadClientId = v1\n@aadV2ClientId = v2\n"
  ) -> LoweredRequest {
    Laboratory().lower("\(head)\nGET http://t.test/\nX-Token: {{\(reference)}}")
  }

  private func need(_ reference: String) throws -> TokenNeed {
    let lowered = lower(reference)
    #expect(lowered.problems == [])
    return try #require(lowered.needs.first?.token)
  }

  @Test(
    "$aadToken",
    arguments: [
      ("", "https://login.microsoftonline.com/common", "https://management.azure.com/"),
      (" new", "https://login.microsoftonline.com/common", "https://management.azure.com/"),
      (
        " cn contoso.com", "https://login.chinacloudapi.cn/contoso.com",
        "https://management.chinacloudapi.cn/"
      ),
      (" us aud:https://a.test/", "https://login.microsoftonline.us/common", "https://a.test/"),
      (
        " 00000000-1111-2222-3333-444444444444",
        "https://login.microsoftonline.com/00000000-1111-2222-3333-444444444444",
        "https://management.azure.com/"
      ),
    ])
  func first(_ words: String, _ base: String, _ resource: String) throws {
    let need = try need("$aadToken\(words)")
    let read = need.configuration
    #expect(read.grant == .deviceCode && read.clientID == "v1" && read.resources == [resource])
    #expect(read.deviceURL == base + "/oauth2/devicecode")
    #expect(read.tokenURL == base + "/oauth2/token")
    #expect(need.isNew == (words == " new"))
  }

  @Test func `Azure's first reference has the scheme, the others have the token alone`() {
    let head = "@aadClientId = v1\n@aadV2ClientId = v2\n"
    func text(_ reference: String) -> String {
      let text = "\(head)\nGET http://t.test/\nX-Token: {{\(reference)}}"
      return Laboratory().lowerWithTokens(text).text
    }
    #expect(text("$aadToken").hasSuffix("X-Token: Bearer access-1"))
    #expect(text("$aadV2Token").hasSuffix("X-Token: access-1"))
  }

  @Test func `words and variables of Azure's second reference`() throws {
    let plain = try need("$aadV2Token").configuration
    #expect(plain.grant == .deviceCode && plain.scope == "openid profile")
    #expect(plain.tokenURL == "https://login.microsoftonline.com/common/oauth2/v2.0/token")
    #expect(plain.deviceURL == "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode")
    let words = try need(
      "$aadV2Token new AzureChinaCloud scopes:a,b tenantId:contoso.com clientId:mine")
    #expect(words.isNew && words.configuration.scope == "a b openid profile")
    #expect(words.configuration.clientID == "mine")
    let china = "https://login.chinacloudapi.cn/contoso.com/oauth2/v2.0/token"
    #expect(words.configuration.tokenURL == china)
    let lowered = lower(
      "$aadV2Token appOnly",
      """
      @aadV2Cloud = AzureUSGovernment
      @aadV2TenantId = contoso.com
      @aadV2ClientId = app
      @aadV2ClientSecret = s3cret
      @aadV2AppUri = api://shop

      """)
    let app = try #require(lowered.needs.first?.token).configuration
    #expect(app.grant == .clientCredentials && app.scope == "api://shop/.default")
    #expect(app.clientAuthentication == .body && app.clientSecret == "s3cret")
    #expect(app.tokenURL == "https://login.microsoftonline.us/contoso.com/oauth2/v2.0/token")
    #expect(lowered.secrets.contains("s3cret"))
  }

  @Test(
    "we have no client of our own",
    arguments: [
      (
        "$aadToken",
        "`aadToken` needs `aadClientId` for the grant Device Authorization. Add it to "
      ),
      (
        "$aadV2Token",
        "`aadV2Token` needs `aadV2ClientId` for the grant Device Authorization. Add it to "
      ),
      (
        "$aadV2Token appOnly",
        "`aadV2Token` needs `aadV2ClientId`, `aadV2ClientSecret` and `aadV2AppUri` for the grant "
          + "Client Credentials. Add them to "
      ),
    ])
  func incomplete(_ reference: String, _ start: String) {
    let lowered = lower(reference, "")
    #expect(lowered.failure?.code.rawValue == "auth-incomplete")
    #expect(lowered.failure?.message == start + "the request file or its environment.")
  }

  @Test func `words of OpenID Connect's reference`() throws {
    let read = try need(
      "$oidcAccessToken clientId:cli callbackPort:9000 authorizeEndpoint:https://id.test/a "
        + "tokenEndpoint:https://id.test/t scopes:zoo,api audience:urn:shop"
    ).configuration
    #expect(read.grant == .authorizationCode && read.pkce == .s256 && read.clientID == "cli")
    #expect(read.authorizationURL == "https://id.test/a" && read.tokenURL == "https://id.test/t")
    #expect(read.redirectURI == "http://localhost:9000")
    #expect(read.scope == "api email openid profile zoo" && read.resources == ["urn:shop"])
    #expect(
      read.parameters == [AuthParameter(name: "prompt", values: ["login"], use: .authorization)])
    let found = try need(
      "$oidcAccessToken new clientId:c issuer:https://id.test callbackDomain:app.test")
    #expect(found.isNew && found.configuration.issuer == "https://id.test")
    #expect(found.configuration.redirectURI == "https://app.test:7777")
    #expect(lower("$oidcAccessToken").failure?.code.rawValue == "auth-incomplete")
  }

  @Test func `settings of REST Client have scopes for each sign-in`() throws {
    var laboratory = Laboratory()
    laboratory.sources = [(.editorSettings, "{\"rest-client.oidcScopes\": [\"openid\", \"b\"]}")]
    let lowered = laboratory.lower(
      "GET http://t.test/{{$oidcAccessToken clientId:c issuer:https://id.test scopes:a}}")
    #expect(lowered.needs.first?.token?.configuration.scope == "a b openid")
  }

  @Test(
    "words in another order, or others",
    arguments: [
      "$aadToken cn new", "$aadToken cloud", "$aadToken a/b.c", "$aadV2Token appOnly AzureCloud",
      "$aadV2Token tenantId:../x", "$aadV2Token azure", "$oidcAccessToken scopes:a clientId:c",
      "$oidcAccessToken callbackPort:99999 clientId:c", "$oidcAccessToken clientId:",
    ])
  func wrong(_ reference: String) {
    let lowered = lower(reference)
    #expect(lowered.failure?.code.rawValue == "dynamic-arguments")
    #expect(lowered.needs.isEmpty)
  }
}
