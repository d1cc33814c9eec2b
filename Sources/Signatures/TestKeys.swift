import JSON

/// Keys for signing the tokens of tests; **they are published with this source and protect nothing**.
///
/// RSA keys are data, because to find primes takes seconds in a build for debugging. They were made at random, each for
/// this file alone. Keys of P-256 are derived from a seed; see ``P256PrivateKey/init(testSeed:)``.
package enum TestKeys {
    /// RSA keys of 2048 bits, for one rotation after the other; each has its thumbprint as identifier.
    package static let rsa: [JSONWebKey] = rsaTexts.compactMap { text in
        guard let value = try? JSONParser().parse(text).root, var key = try? JSONWebKey(reading: value) else {
            return nil
        }
        key.id = key.thumbprint
        return key
    }

    /// A key of P-256 for a seed, such as the name of a session; its identifier is its thumbprint.
    package static func p256(seed: String) -> JSONWebKey {
        var key = JSONWebKey(.p256(P256PrivateKey(testSeed: Array("P-256 \(seed)".utf8))))
        key.id = key.thumbprint
        return key
    }

    private static let rsaTexts = [
        """
        {"kty":"RSA","e":"AQAB",\
        "n":"tjuO2eDW933BOmXdv9CJ1cwt7GhsLYGneCf0bsfFFet9W09voBsLJLlQ5dvZVS2FMPSoGyPMvn41uIe3JhtjYP79d2sG5UwIKOsP7\
        IUyruWwsJswyJBmttEbr0eYlfU11A4DWix6xrLVOmUW_lirXUEOD6GRAcGSILuMdpzNhUkAuFCu_Ds3xooU_HWDID-5GK_TJYOnKAVbQdq\
        Qhq_Cg9RbU09DlwLfIVgI3pexs7i4VHsq1iaKvv5nQWgzs4NTwbkQg1P6lT4hdZefvL99wlofHmgZ-wumS4Uu_s0RhbXKs3dbek4ZzvVVt\
        dx6n3AtZWNm2k8Q753cLov9ySYsYQ",\
        "p":"-OArfoi-zZWb-4VQd0aDc98kvleg85YBA4dvzyNAPtOwyYt6bO0Q8CXApyBtSqMq-Z4u6mZbpchDSSqre94LZTQ4Vh3n9RoRcTLic\
        WRsC-xVTYc-1bWZ1shwuS2cIEu5HmTLEY0ZCFbKookX0IddOfkFhCtHamk7wDfHIMIxi_k",\
        "q":"u3MCcldgTYCSfqEvu5ZxrdFSVBbf5krGtn78tectFRsV5OxJ1mqpQY3vjILCoToZk1BAb9LE3M5XSja_-kjNM0bqO6ANSWVAJoSb-\
        _BGi5HAHA0R4JEeDdx162-d5l_8FoSSilNtcbf_ly_VNKr7s-ULz8Kttu_jjFEV2qEGLak",\
        "dp":"v6e6Nu5NqXouLerDRac6se_ElwRagVsiGrqg4u4tmnRhL0RHGj0SDy2zh8CUCadP__zN-lqq9ycakezXNEORmPU28TKEn57ckcTy\
        1wnTnvb31gVx4RfBicK_9ArosYI-4-YQ78ot3dsgnzxd54tmwq8_jUHa9Fpn1iXeJh8GEtk",\
        "dq":"iJkA-W3vActl9d1kOWEiqjXVtu2Mb_eh4y-a3LwAQFcil1YRYK0NdnYGUPChAHikVpOuwU5oozfCqJRJRgxzbKCK5LR3ujqMiwUr\
        3mZ0IhUuV8K2el2F9zfmvpDyEgV0YLxvRVoScUJSgUwcJGtNTQTmnJoTmTIrMf-M22toYzE",\
        "qi":"uKi7y0eCNk-DH2V50WIC-QGB9R7DRPckChxGFAhTbplmAjDMudHk61wAxG9_S7NVeN0Nb_aIxaLxw-Pn83lCuuYW4SlTYkQmXQj5\
        1yKUflPgaBgygUJ3arsJep5hAshzMIE1JbTsGqvXFfm9npFV8FTKS2tj4WL8rzepxe0i0jU"}
        """,
        """
        {"kty":"RSA","e":"AQAB",\
        "n":"ww3bIZUfIiEPiB3a2ilHhLSKoe0dRHFMcDON-aSpkePd7znfPYY2k3B5kW7gHW3kDE3JJnWuKjyI7aolZ8sqn9A0NEbaYR8mPMOQ7\
        Fe1dlg-eEqx49DS1elBUq8cgODxgxJB-e_KvHCvpKFiGzXJDujJfRqnS7_-Uj-Gu_N8ongIa6oTIL96mXAjjJ9Mvp39iJt6h1c89nHWDnc\
        ko4M6dsDLSwEjU56_gLpSQvJIYIpaYq4_nGDN8IzC9l9u-qhcoUuvzOSMr4m4mrpSNDlrB_qRrhCmy91f9p-wv2V_ggGqc09a4abjMh1Hp\
        Ygy9SXspSx_tEKF-_FYl7jejI1NKw",\
        "p":"-TR7C4oAvXTwNWassZ-Kgp1jad9QPW7MjmXeUnAu19mJECqzbWnEZS9RURHM-G0Y1ZqUdSE03zft3-Er35uVRS7QTtF9_KHuC-7a1\
        aNSMn064VqWM9W-_AgKnidRlD1s01P-Bu_yhOXRnNoLgjPqgF-P0EYSIG5AkgyaFqgamAs",\
        "q":"yF9jKLDv8X2riLbzXyUHs6cRl6C80jSSeRY9LejFNnOwCyBo2qfBS2d1QPHVPbHF_IF9a-NB1IShBCWjHTcy4rCsWRLvD6rUyb8-e\
        v11IGHWEX49aXkx1ZV3EmWwN4bEo8dnKO1zMaUDspIUGQJXwmi6yxy4EWiwfehMBH6-s2E",\
        "dp":"2EtWqLNE5SuD-bV-GkTxAWD9kjzC9i8e2FFOX5sC7VHgBuopBcQRNAmXuJeMoep-7ZbXV7pUm5F9ox1a6R-utXdmUaK-iPE7HZxY\
        z6iLhUrwOfxX9fGFbFbGcHKL-fA-bkWua_MDOZoHDu6pon7RAE7xEcJfpUpMPPc3HocVXfU",\
        "dq":"s2h1KKIEtX2IcUkecDp_wuP8ZH-PkcdwvuqirNCWhELhhZTnTaCW-iUQX64o-KyMUaK_4jIBZ3-5jDUG78nUzhTSvI6vbp_PFzUd\
        hJIcpXn0aoVWB3J0pIDHtLlIJu-McfjA7WxukCzoOqOBS0NFwNR1LBfy1-Oc459zMTMrHQE",\
        "qi":"XoE0vgabRuqMemAHEU5XsJJ9xIKY85KANXBhnnY5Qk0BHbTyIz03rrOy_7szVm9RyYioQ6K2Qus_ruc7Hjm4WyznHS8W2w7abryj\
        SBVZvZbCkPnMXeNm-oKWaGM8hFfyPDdXaiAyT5iW_EXcwJkcbK57F5qW3meehUBXcjejIe4"}
        """,
        """
        {"kty":"RSA","e":"AQAB",\
        "n":"ztJMDFNWRVTayK9lKtJ4iWxvvevB5fnrYotea85szlhv5fxJimcWV5a-VT4WdLXUTX4XFUU-GqtfoHLIid3N_mTwUPXjZLjz6I7dW\
        Feu8bFFVMJQbt6_n_WACkMaQSLdOLPzU3GMjD16gAQq9ARrvPfR2Ol5Ji3gknLk05F7vVniM1UF2sLoL6v14X15DItnRQ_dH9fs66iOy3s\
        AvGIY-BGDcu5uQzyq-xbq8oaAAt_zvBphxoSnqd8PzB12_DmjgYiVDRCzLxXCCLQJLKkPztsXBTrKPFTzvGPX3zs2qmaE4HdYHNiKwiVpw\
        V1CVHofrJlNujBpHQrpnKiuBarXsQ",\
        "p":"-KZR3qXhHA5pPVTjfLnhkfnYbwe2Z_4WnoaJ3a8vWLlhc6LnRGX7OoXiJmZiYuOiZOn9e362SOZ8ZqYLrdybwpkFDj4kzbgU9FAmu\
        h4nUxCFmuls2QF5sWFCZPy7m4MTkWrKaImDrb_Ce6quweaU3FfQDFSmk1TgkgZEGJdXV9U",\
        "q":"1O9wMjAvxrKOElaqnE67dOokR84kkgtTgVS8r6XQL0nWgldFJGs_Z7GFI3CB1SLw7oH8VbuDMrSYmePErtvT11S4VlJ4DHvY6GKje\
        jfH__m8Ru3yj7FVjVPa_63TmqSJ1Ps1Eow0pVkM54xtelQoDI5i0cXi1ogJZ-GbsBMLqm0",\
        "dp":"iZohPIG37frbqqFLsz564nnNmMQ_4ZTvl5MEwLWuEf-lOoUwTt3RBjYJTQ7j663ltMr5CFq7LeS_e17wn6qyWCKudY9WdrIkhn_E\
        rsL5KDLAfVYocn8qhUs5nwFuIUWMkrDyip9vS7wPOLjgNVYRk07VR72g4W_bR3RIQwOdxnE",\
        "dq":"h8T_2dBltiDFe6Xs9OsylXJxnaMwKDq2jOE1yh1Ep9JBxyvT90u2yuwiwx0Ke5bi3oDdHuEH333NS1oyX3flFAh93PSKfRM-k7XJ\
        HLWSfYGD7gnsPnjI3usX2SzBnnnJNJbUGTZynvcvxjgA2h3sx0zGb5DoePeWX7k3ZsZOCuU",\
        "qi":"YBQUx0PvM5TCAGNlktBmi5itnpVEwbTbXz0vX2y9NchVQuGMInTFf2q18UaCBOOiH3aRnxIGhCLvYnHTwSyiKHWbj3cUdibTmo-1\
        q4vpaM5gnDZYfbFzqsYnZXHifJVgrLr0OIZKDBgou7NOPFyyLLIL3C5THY6-mIiQc_hmv1k"}
        """,
    ]
}
