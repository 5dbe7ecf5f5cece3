// Keys for tests alone: those of RFC 7515 (appendix A.2 to A.4) and of RFC 8037 (appendix A), and
// keys that were made for these tests.

/// Keys as JSON Web Keys, and the same ones as PEM.
enum TestKeys {
  /// RFC 7515, appendix A.2.
  static let rsa: [String: String] = [
    "kty": "RSA",
    "n":
      "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJ"
      + "PMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0"
      + "LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD"
      + "Zlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2"
      + "PAcDTW9gb54h4FRWyuXpoQ",
    "e": "AQAB",
    "d":
      "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9S"
      + "E-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVd"
      + "xzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQ"
      + "UShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjn"
      + "czT0QU91p1DhOVRuOopznQ",
    "p":
      "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQT"
      + "a9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV"
      + "5z-y2XDwGUc",
    "q":
      "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7"
      + "C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rj"
      + "cJIDEz9RWdc",
    "dp":
      "BwKfV3Akq5_MFZDFZCnW-wzl-CCo83WoZvnLQwCTeDv8uzluRSnm71I3QCLdhrqE2e9YkxvuxdBfpT_P"
      + "I7Yz-FOKnu1R6HsJeDCjn12Sk3vmAktV2zb34MCdy7cpdTh_YVr7tss2u6vneTwrA86rZtu5Mbr1C1Xs"
      + "mvkxHQAdYo0",
    "dq":
      "h_96-mK1R_7glhsum81dZxjTnYynPbZpHziZjeeHcXYsXaaMwkOlODsWa7I9xXDoRwbKgB719rrmI2oK"
      + "r6N3Do9U0ajaHF-NKJnwgjMd2w9cjz3_-kyNlxAr2v4IKhGNpmM5iIgOS1VZnOZ68m6_pbLBSp3nssTd"
      + "lqvd0tIiTHU",
    "qi":
      "IYd7DHOhrWvxkwPQsRM2tOgrjbcrfvtQJipd-DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd_"
      + "QJQ3ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp_gh6A5603k2-ZQwVK0J"
      + "KSHuLFkuQ3U",
  ]

  /// RFC 7515, appendix A.3.
  static let p256: [String: String] = [
    "kty": "EC",
    "crv": "P-256",
    "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
    "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    "d": "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
  ]

  static let p384: [String: String] = [
    "kty": "EC",
    "crv": "P-384",
    "x": "lGA_JJgcCN2DdtEkq_oQ4H9K9txaT7BEhaL8GQ8v67mM6ZOdwYDRN0gKCHJjA3YD",
    "y": "lrLQLoyR2WSCjgSkZ3vZCP-b_xb32-7m4epTMJeOxyahQjYqleU9ljyXtgDLnJy1",
    "d": "fukoRNhCt_9iMx028cnNBRCJf9hK1S_FXG1V490KgpQSdu1hUPosXIQUypD_fsAc",
  ]

  /// RFC 7515, appendix A.4.
  static let p521: [String: String] = [
    "kty": "EC",
    "crv": "P-521",
    "x":
      "AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxc"
      + "WceqwQGk",
    "y":
      "ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf6"
      + "3e3kyMj2",
    "d":
      "AY5pb7A0UFiB3RELSD64fTLOSV_jazdF7fLYyuTw8lOfRhWg6Y6rUrPAxerEzgdRhajnu0ferB0d53vM"
      + "9mE15j2C",
  ]

  /// RFC 8037, appendix A.
  static let ed25519: [String: String] = [
    "kty": "OKP",
    "crv": "Ed25519",
    "d": "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A",
    "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
  ]

  static let ed448: [String: String] = [
    "kty": "OKP",
    "crv": "Ed448",
    "x": "u0ZZZgIFwqEiUjddD_v8aqeoa6X0MoYGKS3fTdReibZaDn9p6nGgqORFIEQUuGOcb5sCxkY0xlqA",
    "d": "Yf-buQ6J7i3YikoH3ROeAgs2jwaQoD8CLJN_C_gIJzFosHlBfB2RnRIWlnLDeSuFxu6qiXr-Vwlk",
  ]

  /// Of 1,024 bits.
  static let shortRSA: [String: String] = [
    "kty": "RSA",
    "n":
      "p71uPQVQeKFbvG8M8OMLDZa_hBuK4_tYbVn7wC6MCBLxlqkANf7cov2hpeKsBlBrTQ6SIB-77zLpU_ZR"
      + "IjHwMWpkRy0OO8x6xkai0yIMksGGUcXbk1a1g-VCb3guBEGkoiZ2-4-GaM2nI1rnoM9tRWIWtCY8wSbM"
      + "U3FemTqrOCU",
    "e": "AQAB",
    "d":
      "hBDqTZL0k7V_c7H_f11TI4TQDuRcizkmmxog02QSjnzTx2oSJ3EdKBsHfYMlK-d_Q_E37aDup9ruyFOD"
      + "96dX01ma7oWbk9qygqYAe4fGkJekBZ-hq_H0iyvTrXkKuSRYfIUNjPY41clxkhVgMlJNyvlszLbwL5Jg"
      + "GCnhGGd97uE",
    "p":
      "2bPRONE6L_vVlZN5QXoS3-5QX0WNgkxWSsJ0y4b7dSEu9IaAAY6JqlVowWbdzdoYdB-Qg1dNq6XKaNyC"
      + "0KGGrQ",
    "q":
      "xT-QnlokVZdyjppTTVvoeuVhk_S7WNdkwwZdjN_H_loZEJQ5_JZTpgsyKH4FBjA5qMVP0sJAupAieP2D"
      + "p6u-WQ",
    "dp":
      "MJM1yMauhAxeAMzyDlENqxeCqW9cfslHq9CtvMf2jZEE6BymrTI_t1jtUdIBBbB3KlnspdGyC-2nNzSU"
      + "n7aa1Q",
    "dq":
      "Znpk53CLyhA6C06wktN6UEdWT-lpYHnfttdayTMGk-Y5eXyZN9reMLlGYPVAJPvvKPkCRMx5lrQFxPhp"
      + "azZ2WQ",
    "qi":
      "QuumBPIm3GeRcBjgTcglPnnfhtDsLCfoOitdDgnsH4Qs4hXzZvKBKu7LUD9JoIjrlQWTh6_NTaEp2oqM"
      + "r_zraw",
  ]

  /// `rsa` in PKCS#1.
  static let rsaPEM = """
    -----BEGIN RSA PRIVATE KEY-----
    MIIEowIBAAKCAQEAofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd/wWJcyQoTbji9k0
    l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL+yRT+SFd2lZS+pC
    gNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb/7OMg0LOL+bSf63kpaSHSX
    ndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uD
    Zlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxXFvUK+DWNmoudF8NAco9/h9iaGNj8
    q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQIDAQABAoIBABKucaRpzQorw35S
    bEUAVx8dYXUdZOlJcHtiWQ+dC6V8ljxAHj/PLyzTveyI5QO/xkObCyjIL303l2cf
    UhPu2MFaJdjVzqACXuOrLot/eSFvxjvqVidTtAZExqFRJ9mylUVAoLvhowVWmC1O
    n95fZCXxTUtxNEG1Xcc7m0rtzJKs45J+N/V9DP1edYH6USyPSWGp6wuA+KgHRnKK
    Vf9GRx80JQY7nVNkL17eHoTWEwga+lwi0FEoW9Y7lDtWXYmKBWhUE+U8PGxlJf8f
    40493HDw1WRQ/aSLoS4QTp3rn7gYgeHEvfJdkkf0UMhlknlo53M09EFPdadQ4TlU
    bjqKc50CgYEA4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH/5IB3jw3bcxGn6QLvnE
    tfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw/Py5PJdTJNPY8cQn7ouZ2KKDcmnPG
    BY5t7yLc1QlQ5xHdwW1VhvKn+nXqhJTBgIPgtldC+KDV5z+y2XDwGUcCgYEAuQPE
    fgmVtjL0Uyyx88GZFF1fOunH3+7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYs
    p1ZSe7zFYHj7C6ul7TjeLQeZD/YwD66t62wDmpe/HlB+TnBA+njbglfIsRLtXlnD
    zQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdcCgYAHAp9XcCSrn8wVkMVkKdb7
    DOX4IKjzdahm+ctDAJN4O/y7OW5FKebvUjdAIt2GuoTZ71iTG+7F0F+lP88jtjP4
    U4qe7VHoewl4MKOfXZKTe+YCS1XbNvfgwJ3Ltyl1OH9hWvu2yza7q+d5PCsDzqtm
    27kxuvULVeya+TEdAB1ijQKBgQCH/3r6YrVH/uCWGy6bzV1nGNOdjKc9tmkfOJmN
    54dxdixdpozCQ6U4OxZrsj3FcOhHBsqAHvX2uuYjagqvo3cOj1TRqNocX40omfCC
    Mx3bD1yPPf/6TI2XECva/ggqEY2mYzmIiA5LVVmc5nrybr+lssFKneeyxN2Wq93S
    0iJMdQKBgCGHewxzoa1r8ZMD0LETNrToK423K377UCYqXfg5XMclbrjPbEC3YI1Z
    NqMtuhdBJqUnBi6tjKMF+34Xf0CUN8ncuXGO2CAYvO8PdyCixHX52ybaDjy1FtCE
    6yUXjoKNXKvUm7MWGsAYH6f4IegOetN5NvmUMFStCSkh7ixZLkN1
    -----END RSA PRIVATE KEY-----
    """

  /// `p256` in SEC1.
  static let p256PEM = """
    -----BEGIN EC PRIVATE KEY-----
    MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49
    AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b
    focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
    -----END EC PRIVATE KEY-----
    """

  /// `p384` in PKCS#8.
  static let p384PEM = """
    -----BEGIN PRIVATE KEY-----
    MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDB+6ShE2EK3/2IzHTbx
    yc0FEIl/2ErVL8VcbVXj3QqClBJ27WFQ+ixchBTKkP9+wByhZANiAASUYD8kmBwI
    3YN20SSr+hDgf0r23FpPsESFovwZDy/ruYzpk53BgNE3SAoIcmMDdgOWstAujJHZ
    ZIKOBKRne9kI/5v/Fvfb7ubh6lMwl47HJqFCNiqV5T2WPJe2AMucnLU=
    -----END PRIVATE KEY-----
    """

  /// `ed25519` in PKCS#8.
  static let ed25519PEM = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
    -----END PRIVATE KEY-----
    """

  /// An encrypted key under the name of a plain one.
  static let mislabelledPEM = """
    -----BEGIN PRIVATE KEY-----
    MIGjMF8GCSqGSIb3DQEFDTBSMDEGCSqGSIb3DQEFDDAkBBAEXWN1t1zPlCLipHC1
    l2JDAgIIADAMBggqhkiG9w0CCQUAMB0GCWCGSAFlAwQBKgQQvv9LS5M24Q7ymXeN
    nPu+UQRA8oAeudhqlD3CrmCCOxqa5Xjw4RyvDqsyflgPoZ0IYPLTHzlxvcTVljGM
    JUiOnjXdLjKylle7JUVvBT40uRPdMA==
    -----END PRIVATE KEY-----
    """

  /// On secp256k1, whose numbers are as long as those of P-256.
  static let otherCurvePEM = """
    -----BEGIN EC PRIVATE KEY-----
    MHQCAQEEIBJhYW1FpCvN+wkT0NNwCozHfiGvZdKSAcAhvIcSNuSWoAcGBSuBBAAK
    oUQDQgAEAbIEmi+GvUPx6XkHIUkLxzpNAWIvwhCkLkZQA/t24ZZWnVZPdTUmA22C
    ovukZCYhriRrdGpLoW4qSiLqfNBXgQ==
    -----END EC PRIVATE KEY-----
    """
}
