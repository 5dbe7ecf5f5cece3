// Postman's dynamic variables and ours (IO-17).

/// What stands for a dynamic variable of Postman.
enum PostmanDynamics {
  /// Ours without the braces, by Postman's names without `$`.
  static let ours: [String: String] = plain.merging(random) { $1 }

  private static let plain = [
    "guid": "$guid", "timestamp": "$timestamp", "isoTimestamp": "$datetime iso8601",
    "randomUUID": "$random.uuid",
    // Postman counts both ends of 0 to 1000, ours the lower one alone.
    "randomInt": "$randomInt 0 1001",
    "randomAlphaNumeric": "$random.alphanumeric(1)",
  ]

  private static let random = items.mapValues { "$random." + $0 }

  /// Items of `$random` by the names of Postman.
  private static let items = [
    "randomBoolean": "bool.bool",
    "randomFirstName": "name.firstName", "randomLastName": "name.lastName",
    "randomFullName": "name.fullName", "randomNamePrefix": "name.prefix",
    "randomNameSuffix": "name.suffix", "randomUserName": "name.username",
    "randomJobTitle": "job.title", "randomJobArea": "job.field",
    "randomJobDescriptor": "job.seniority", "randomJobType": "job.position",
    "randomPhoneNumber": "phoneNumber.phoneNumber", "randomPhoneNumberExt": "phoneNumber.extension",
    "randomEmail": "email", "randomExampleEmail": "internet.safeEmailAddress",
    "randomCity": "address.city", "randomStreetName": "address.streetName",
    "randomStreetAddress": "address.streetAddress", "randomCountry": "address.country",
    "randomCountryCode": "address.countryCode", "randomLatitude": "address.latitude",
    "randomLongitude": "address.longitude",
    "randomColor": "color.name", "randomHexColor": "color.hex",
    "randomIP": "internet.ipV4Address", "randomIPV6": "internet.ipV6Address",
    "randomMACAddress": "internet.macAddress", "randomPassword": "internet.password",
    "randomUserAgent": "internet.userAgentAny", "randomSemver": "app.version",
    "randomUrl": "internet.url", "randomDomainName": "internet.domainName",
    "randomDomainSuffix": "internet.domainSuffix", "randomDomainWord": "internet.domainWord",
    "randomAvatarImage": "avatar.image", "randomImageUrl": "internet.image",
    "randomBankAccountBic": "finance.bic", "randomBankAccountIban": "finance.iban",
    "randomCurrencyCode": "currency.code", "randomCurrencyName": "currency.name",
    "randomCompanyName": "company.name", "randomCompanySuffix": "company.suffix",
    "randomBs": "company.bs", "randomBsBuzz": "company.buzzword",
    "randomCatchPhrase": "company.catchPhrase",
    "randomFileName": "file.fileName", "randomFileExt": "file.extension",
    "randomCommonFileName": "file.fileName", "randomCommonFileExt": "file.extension",
    "randomMimeType": "file.mimeType",
    "randomPrice": "commerce.price", "randomProduct": "commerce.item",
    "randomProductMaterial": "commerce.material", "randomProductName": "commerce.productName",
    "randomDepartment": "commerce.department",
    "randomWord": "lorem.word", "randomWords": "lorem.words", "randomNoun": "lorem.word",
    "randomLoremWord": "lorem.word", "randomLoremWords": "lorem.words",
    "randomLoremSentence": "lorem.sentence", "randomLoremParagraph": "lorem.paragraph",
    "randomLoremSlug": "internet.slug",
  ]
}
