// The words of `$random.category.item`: small lists, and patterns that combine them.

/// Invented but plausible values by category and item, such as `name.fullName`.
enum RandomVocabulary {
  /// What an item can be. In a pattern `~` is a digit, `^` a hexadecimal digit, a backtick a small
  /// letter, and `{category.item}` another item.
  static let patterns: [String: [String]] = people.merging(places) { $1 }.merging(work) { $1 }
    .merging(texts) { $1 }.merging(machines) { $1 }.merging(things) { $1 }

  /// The items of a category in order.
  static func items(of category: String) -> [String] {
    patterns.keys.filter { $0.hasPrefix(category + ".") }.map {
      String($0.dropFirst(category.count + 1))
    }.sorted()
  }

  /// All categories in order.
  static let categories: [String] = Set(
    patterns.keys.map { String($0.prefix { $0 != "." }) }
  ).sorted()

  /// The first value of an item, for descriptions.
  static func example(of item: String) -> String { value(of: item) { 0 } ?? "" }

  /// A value of an item; `nil` where there is no such item.
  static func value(of item: String, random: () -> UInt64) -> String? {
    guard let choices = patterns[item] else { return nil }
    let pattern = choices[Int(random() % UInt64(choices.count))]
    var result = ""
    var reference: String?
    for character in pattern {
      if let name = reference {
        guard character == "}" else {
          reference = name + String(character)
          continue
        }
        result += value(of: name, random: random) ?? ""
        reference = nil
      } else {
        switch character {
        case "{": reference = ""
        case "~": result.append(digit(random() % 10))
        case "^": result.append(digit(random() % 16))
        case "`": result.append(digit(10 + random() % 26))
        default: result.append(character)
        }
      }
    }
    return result
  }

  /// A digit in base 36.
  private static func digit(_ value: UInt64) -> String { String(value, radix: 36) }

  private static func words(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " || $0 == "\n" }) }
  }

  private static let people: [String: [String]] = [
    "name.firstName": words(
      "Ada, Bruno, Carla, David, Elena, Farid, Greta, Hugo, Ines, Jonas, Keiko, Lena, Milan, Nora, "
        + "Omar, Paula, Quentin, Rosa, Samir, Tessa, Ursula, Viktor, Wanda, Yusuf, Zoe"),
    "name.lastName": words(
      "Adler, Bauer, Costa, Dahl, Eriksen, Fischer, Garcia, Hansen, Ito, Jansen, Keller, "
        + "Lindqvist, Moreau, Novak, Okafor, Petrov, Quist, Rossi, Schmidt, Tanaka, Ulrich, "
        + "Vargas, Weber"),
    "name.fullName": ["{name.firstName} {name.lastName}"],
    "name.name": ["{name.firstName} {name.lastName}"],
    "name.nameWithMiddle": ["{name.firstName} {name.firstName} {name.lastName}"],
    "name.prefix": words("Dr., Mr., Mrs., Ms., Prof."),
    "name.suffix": words("Jr., Sr., II, III, PhD"),
    "name.title": ["{job.seniority} {job.position}"],
    "name.username": ["{internet.slug}~~", "```.{animal.name}~~"],
    "name.bloodGroup": words("A+, A-, B+, B-, AB+, AB-, O+, O-"),
    "demographic.sex": words("Female, Male"),
    "demographic.maritalStatus": words("Single, Married, Divorced, Widowed"),
    "demographic.educationalAttainment": words("Primary school, High school, Bachelor, Master"),
    "nation.nationality": words("Austrians, Brazilians, Danes, Greeks, Italians, Kenyans, Poles"),
    "nation.language": words("Danish, English, French, German, Greek, Italian, Polish, Swahili"),
    "nation.capitalCity": ["{country.capital}"],
    "phoneNumber.phoneNumber": ["+1 555-~~~-~~~~", "(555) ~~~-~~~~"],
    "phoneNumber.cellPhone": ["555-~~~-~~~~"],
    "phoneNumber.extension": ["~~~~"],
    "phoneNumber.subscriberNumber": ["~~~~"],
    "university.name": ["University of {address.city}", "{name.lastName} College"],
  ]

  private static let places: [String: [String]] = [
    "address.city": words(
      "Amber Falls, Birchport, Copper Hill, Dunmere, Eastwick, Fernhaven, Glenbrook, Harborview, "
        + "Ivydale, Juniper Bay, Kingsreach, Lakemont, Millbridge, Northfield, Oakridge"),
    "address.cityName": ["{address.city}"],
    "address.streetName": words(
      "Acorn Lane, Bridge Street, Chestnut Road, Dock Street, Elm Avenue, Fountain Square, "
        + "Garden Way, Hill Road, Iron Street, Lantern Alley, Meadow Drive, Orchard Street"),
    "address.buildingNumber": ["~~", "1~~"],
    "address.streetAddressNumber": ["1~~"],
    "address.streetAddress": ["{address.buildingNumber} {address.streetName}"],
    "address.secondaryAddress": ["Apt. ~~", "Suite ~~~"],
    "address.fullAddress": [
      "{address.streetAddress}, {address.city}, {address.stateAbbr} {address.zipCode}"
    ],
    "address.zipCode": ["~~~~~"],
    "address.state": words("Alaska, Colorado, Georgia, Idaho, Kansas, Maine, Nevada, Ohio, Texas"),
    "address.stateAbbr": words("AK, CO, GA, ID, KS, ME, NV, OH, TX"),
    "address.country": ["{country.name}"],
    "address.countryCode": ["{country.countryCode2}"],
    "address.latitude": ["~~.~~~~~~", "-~~.~~~~~~"],
    "address.longitude": ["1~~.~~~~~~", "-~~.~~~~~~"],
    "address.timeZone": words(
      "Africa/Nairobi, America/Denver, America/Lima, Asia/Tokyo, Europe/Berlin, Pacific/Auckland"),
    "country.name": words(
      "Austria, Brazil, Canada, Denmark, Estonia, France, Greece, Iceland, Japan, Kenya, Norway"),
    "country.capital": words(
      "Vienna, Brasília, Ottawa, Copenhagen, Tallinn, Paris, Athens, Reykjavik, Tokyo, Nairobi"),
    "country.countryCode2": words("AT, BR, CA, DK, EE, FR, GR, IS, JP, KE, NO"),
    "country.countryCode3": words("AUT, BRA, CAN, DNK, EST, FRA, GRC, ISL, JPN, KEN, NOR"),
    "country.currency": ["{currency.name}"],
    "country.currencyCode": ["{currency.code}"],
    "currency.name": words("Canadian Dollar, Euro, Krone, Kenyan Shilling, Real, Yen"),
    "currency.code": words("BRL, CAD, DKK, EUR, JPY, KES, NOK"),
    "weather.description": words("Clear, Cloudy, Drizzle, Fog, Hail, Rain, Snow, Thunderstorm"),
    "weather.temperatureCelsius": ["~°C", "1~°C", "2~°C", "-~°C"],
    "weather.temperatureFahrenheit": ["3~°F", "5~°F", "7~°F"],
  ]

  private static let work: [String: [String]] = [
    "company.name": [
      "{name.lastName} {company.suffix}", "{name.lastName} and {name.lastName}",
      "{name.lastName}, {name.lastName} and {name.lastName}",
    ],
    "company.suffix": words("Group, Inc, LLC, Ltd, and Sons"),
    "company.industry": words("Agriculture, Banking, Education, Energy, Logistics, Media, Retail"),
    "company.profession": words("accountant, architect, baker, carpenter, dentist, editor, nurse"),
    "company.catchPhrase": [
      "{company.buzzword} {commerce.material} platform", "{company.buzzword} approach"
    ],
    "company.buzzword": words("adaptive, balanced, compatible, modular, open, robust, scalable"),
    "company.bs": words("deliver open services, reinvent quiet markets, scale shared platforms"),
    "company.url": ["www.{internet.domainName}"],
    "job.title": ["{job.seniority} {job.field} {job.position}"],
    "job.field": words("Accounting, Design, Education, Legal, Marketing, Sales, Technology"),
    "job.position": words("Analyst, Assistant, Consultant, Coordinator, Engineer, Manager"),
    "job.seniority": words("Chief, Junior, Lead, Principal, Senior"),
    "job.keySkills": words("Communication, Leadership, Organisation, Planning, Teamwork"),
    "commerce.department": words("Books, Clothing, Garden, Grocery, Music, Outdoors, Tools, Toys"),
    "commerce.material": words("Aluminum, Bamboo, Cotton, Glass, Leather, Marble, Steel, Wooden"),
    "commerce.productName": ["{commerce.material} {commerce.item}"],
    "commerce.item": words("Bag, Bench, Bottle, Chair, Clock, Hat, Keyboard, Lamp, Shirt, Table"),
    "commerce.price": ["~.~~", "1~.~~", "2~~.~~"],
    "commerce.promotionCode": ["Save~~~~~~", "Autumn~~~~~~"],
    "business.creditCardNumber": ["1211-1221-1234-2201", "1234-2121-1221-1211"],
    "business.creditCardType": words("american_express, discover, mastercard, visa"),
    "business.creditCardExpiry": ["2031-0~-1~", "2033-0~-1~"],
    "finance.creditCard": ["4111-1111-1111-1111", "5555-5555-5555-4444"],
    "finance.iban": ["DE89370400440532013000", "GB82WEST12345698765432"],
    "finance.bic": words("DEUTDEFF, NEDSZAJJ, DABAIE2D"),
    "code.isbn10": ["0306406152", "1861972717"],
    "code.isbn13": ["9780306406157", "9781861972712"],
    "code.ean8": ["96385074", "73513537"],
    "code.ean13": ["4006381333931", "5901234123457"],
    "code.imei": ["490154203237518", "356938035643809"],
    "idNumber.valid": ["~~~-4~-1~~~"],
    "team.name": ["{address.city} {team.creature}"],
    "team.creature": words("badgers, cranes, dragons, foxes, owls, ravens, wolves"),
  ]

  private static let texts: [String: [String]] = [
    "lorem.word": words(
      "alpha, bright, cedar, delta, ember, field, grain, harbor, island, juniper, kettle, lantern, "
        + "meadow, needle, orbit, pebble, quiet, river, stone, timber, umber, velvet, willow"),
    "lorem.words": ["{lorem.word} {lorem.word} {lorem.word}"],
    "lorem.character": ["`"],
    "lorem.characters": ["````````````````"],
    "lorem.sentence": [
      "The {lorem.word} {lorem.word} meets a {lorem.word} {lorem.word}.",
      "Every {lorem.word} needs one {lorem.word} and two {lorem.word}s.",
    ],
    "lorem.paragraph": ["{lorem.sentence} {lorem.sentence} {lorem.sentence}"],
    "lorem.fixedString": ["{lorem.word} {lorem.word}"],
    "book.title": ["The {lorem.word} of {address.city}", "A {lorem.word} {lorem.word}"],
    "book.author": ["{name.fullName}"],
    "book.publisher": ["{name.lastName} Press"],
    "book.genre": words("Biography, Essay, Fable, Mystery, Poetry, Satire, Travel"),
    "music.instrument": words("Accordion, Cello, Drums, Flute, Guitar, Harp, Piano, Violin"),
    "music.genre": words("Blues, Classical, Folk, Funk, Jazz, Pop, Reggae, Rock, Soul"),
    "music.key": words("A, Bb, C, D, Eb, F, G"),
    "music.chord": words("Am, Bb7, C, Dm7, Ebmaj7, F, Gsus4"),
    "artist.name": ["{name.fullName}"],
  ]

  private static let machines: [String: [String]] = [
    "internet.emailAddress": ["{internet.slug}~~@example.com", "````.```@example.org"],
    "internet.safeEmailAddress": ["{internet.slug}~~@example.com"],
    "internet.domainName": ["{lorem.word}-{lorem.word}.example", "{lorem.word}.example.com"],
    "internet.domainWord": ["{lorem.word}"],
    "internet.domainSuffix": words("com, example, net, org, test"),
    "internet.url": ["https://{internet.domainName}/{internet.slug}"],
    "internet.image": ["https://{internet.domainName}/~~~x~~~.png"],
    "internet.slug": ["{lorem.word}_{lorem.word}"],
    "internet.password": ["```~^^^`~``^~"],
    "internet.ipV4Address": ["10.1~.2~.1~~", "192.0.2.~", "198.51.100.1~~"],
    "internet.privateIpV4Address": ["10.~.1~.~~", "192.168.~.1~~"],
    "internet.publicIpV4Address": ["203.0.113.~", "198.51.100.1~~"],
    "internet.ipV6Address": ["2001:db8:^^^^:^^^^:^^^^:^^^^:^^^^:^^^^"],
    "internet.macAddress": ["02:^^:^^:^^:^^:^^"],
    "internet.uuid": ["^^^^^^^^-^^^^-4^^^-a^^^-^^^^^^^^^^^^"],
    "internet.userAgentAny": ["ExampleBrowser/1~.~ (Linux)", "ExampleBrowser/~.~ (Windows)"],
    "crypto.md5": [String(repeating: "^", count: 32)],
    "crypto.sha1": [String(repeating: "^", count: 40)],
    "crypto.sha256": [String(repeating: "^", count: 64)],
    "file.fileName": ["{lorem.word}_{lorem.word}.{file.extension}"],
    "file.extension": words("csv, doc, gif, html, jpg, json, mp3, pdf, png, txt, xml"),
    "file.mimeType": words("application/json, image/png, text/csv, text/html, text/plain"),
    "app.name": words("Bluebird, Driftwood, Fernpad, Keyhole, Lantern, Tidepool"),
    "app.version": ["~.~.~", "0.~~"],
    "app.author": ["{name.fullName}"],
    "avatar.image": ["https://{internet.domainName}/avatars/~~~.png"],
    "bool.bool": words("true, false"),
    "number.digit": ["~"],
    "number.randomDigit": ["~"],
    "number.randomDigitNotZero": words("1, 2, 3, 4, 5, 6, 7, 8, 9"),
    "number.randomNumber": ["~", "1~", "2~~", "3~~~"],
  ]

  private static let things: [String: [String]] = [
    "animal.name": words("badger, crane, dolphin, fox, heron, lynx, otter, raven, seal, wolf"),
    "cat.name": words("Biscuit, Felix, Luna, Mittens, Nala, Oscar, Smokey, Tiger"),
    "cat.breed": words("Bengal, Birman, Persian, Ragdoll, Siamese, Sphynx"),
    "dog.name": words("Bella, Buddy, Charlie, Daisy, Max, Rocky, Sadie"),
    "dog.breed": words("Beagle, Boxer, Collie, Dalmatian, Poodle, Terrier"),
    "color.name": words("amber, black, blue, coral, green, ivory, lime, red, teal, violet, white"),
    "color.hex": ["#^^^^^^"],
    "food.dish": words("Caesar salad, Goulash, Lasagne, Paella, Pancakes, Pho, Ramen, Ratatouille"),
    "food.fruit": words("Apple, Apricot, Banana, Cherry, Fig, Grape, Lemon, Mango, Pear, Plum"),
    "food.ingredient": words("Almonds, Butter, Chickpeas, Flour, Honey, Lentils, Rice, Tofu"),
    "food.spice": words("Basil, Cumin, Ginger, Mint, Oregano, Paprika, Saffron, Thyme"),
    "food.vegetable": words("Beetroot, Broccoli, Carrot, Leek, Onion, Pepper, Spinach"),
    "food.measurement": words("cup, pinch, spoon"),
    "beer.name": words("Amber Gate, Dark Harbor, Golden Mill, Pale Heron"),
    "beer.style": words("Bock, Lager, Pilsner, Porter, Stout, Wheat beer"),
    "space.planet": words("Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune"),
    "space.moon": words("Callisto, Europa, Ganymede, Io, Luna, Phobos, Rhea, Titan"),
    "space.constellation": words("Aquila, Cassiopeia, Cygnus, Gemini, Lyra, Orion, Virgo"),
  ]
}
