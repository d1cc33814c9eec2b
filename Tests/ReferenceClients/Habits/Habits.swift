extension Habit {
    /// Clients that do nothing wrong.
    package static func correct() throws(Problem) -> [Habit] {
        try table(screens + users + servers + failures)
    }

    /// What is loaded at once, or one after the other, when a token has expired.
    private static let screens = """
        cold start                        | - / gate / in-order / serial / ahead / exp / gate in-order / gate ahead / traced | expired | GET /me & GET /notes & GET /feed & GET /profile | 1
        opened one by one                 | - / gate / in-order / serial / ahead / exp / gate in-order / gate ahead | expired | GET /me & 10ms GET /notes & 40ms GET /feed & 90ms GET /profile | 1
        opened slowly one by one          | - / gate / in-order / serial / ahead / gate in-order | expired | GET /me & 70ms GET /notes & 140ms GET /feed & 210ms GET /profile | 1
        three of the same at once         | - / gate / in-order     | expired | GET /me & GET /me & GET /me | 1
        a list, then two details          | - / gate / serial / exp | expired | GET /notes > GET /notes/7 & GET /notes/8 | 1
        details and list on one path      | - / gate / in-order / serial | expired | GET /notes?id=7 & GET /notes?id=8 & GET /notes?id=9 > GET /notes | 1
        more at once than connections     | - / gate / in-order / serial / ahead | expired | GET /feed?p=1 & GET /feed?p=2 & GET /feed?p=3 & GET /feed?p=4 & GET /feed?p=5 & GET /feed?p=6 & GET /feed?p=7 & GET /feed?p=8 & GET /feed?p=9 & GET /feed?p=10 | 1
        pages by scrolling                | - / ahead / serial      | expired | GET /feed?p=1 > GET /feed?p=2 > GET /feed?p=3 ; wait 2h ; GET /feed?p=4 > GET /feed?p=5 | 2
        a screen that asks every second   | - / gate / ahead        | fresh   | GET /feed ; pause 1s > GET /feed ; pause 1s > GET /feed ; wait 2h ; GET /feed & GET /me ; pause 1s > GET /feed ; pause 1s > GET /feed | 1
        a head, then the whole            | - / gate                | expired | HEAD /me > GET /me | 1
        numbers against caches            | buster / buster gate / buster serial | expired | GET /me & GET /notes ; GET /notes | 1
        numbers against caches, each day  | buster / buster in-order | expired | GET /me ; wait 2h ; GET /me & GET /notes ; wait 2h ; GET /me | 3
        a screen that starts again        | reloads / reloads gate  | expired | GET /notes & GET /me | 1
        the token dies while screens open | - / gate / in-order     | fresh   | GET /me & 5ms GET /notes & 10ms expire & 15ms GET /feed & 30ms GET /profile | 0-1
        the token is revoked meanwhile    | - / gate / serial       | fresh   | GET /me & 5ms GET /notes & 10ms revoke & 15ms GET /feed & 30ms GET /profile | 0-1

        """

    /// What users do while tokens are renewed.
    private static let users = """
        a note is written beside it       | - / gate / in-order / serial / stamp / traced gate / ahead | expired | POST /notes hello & GET /me & GET /notes | 1
        a second tap during the refresh   | stamp / stamp gate      | expired | POST /notes hello & 80ms POST /notes hello | 1
        a second tap during a slow one    | - / gate / in-order / stamp | slow-refresh | POST /notes hello & 400ms POST /notes hello | 1
        a second tap later                | - / serial / stamp      | expired | POST /notes hello ; POST /notes hello | 1
        every save of a text              | - / in-order / serial   | expired | PUT /notes/7 a & 20ms PUT /notes/7 b & 40ms PUT /notes/7 c ; GET /notes/7 | 1
        an item is deleted beside a list  | - / gate / serial       | expired | DELETE /notes/7 & GET /notes | 1
        a screen is left                  | - / gate / in-order / serial | expired | GET /feed left ; GET /me | 1
        an item is left for its list      | - / gate / serial       | fresh   | GET /notes ; expire ; GET /notes/7 left > GET /notes | 1
        a list is left for a new item     | - / gate / serial / stamp / buster | expired | GET /notes left > POST /notes hello | 1
        an item is left and deleted       | - / gate / serial       | expired | GET /notes/7 left > DELETE /notes/7 | 1
        a page is left for the next       | - / gate                | expired | GET /feed?p=1 left > GET /feed?p=2 | 1
        screens are left at once          | - / gate / in-order / serial | expired | GET /feed left:30ms & GET /notes left:30ms ; GET /me | 0-1
        what is slow is given up          | impatient / impatient gate / impatient serial | expired | GET /slow =none > GET /me ; GET /notes | 1
        signed out during the refresh     | - / gate / in-order / serial | expired | GET /me =none & GET /feed =none & 70ms out | 0-1
        signed out, and somebody else in  | - / gate / ahead / exp / serial | expired | GET /me & GET /feed ; out ; in bob ; GET /me & GET /notes ; wait 2h ; GET /me | 2
        somebody else in during a refresh | - / gate / serial       | expired | GET /me =none & GET /feed =none & 70ms out > in bob > GET /me & GET /notes | 0-1
        new claims are wanted             | - / gate                | fresh   | GET /me ; refresh ; GET /me | 1
        three days                        | - / gate / ahead / exp / serial / patient | expired | GET /me ; wait 2h ; GET /me & GET /notes ; wait 2h ; GET /feed | 3
        started again, and a day later    | - / gate / ahead / exp  | expired | GET /me ; launch ; GET /feed ; wait 2h ; launch ; GET /me & GET /notes | 2
        renewed at each start             | at-start / at-start gate | expired | GET /me & GET /notes ; launch ; GET /feed | 2
        started while the phone is locked | - / gate                | fresh   | GET /me ; launch locked ; GET /feed | 0
        several devices                   | two-devices / two-devices gate / three-devices / two-devices ahead / two-devices serial | expired | GET /me & GET /notes ; wait 2h ; GET /feed | 3-6
        an app and its extension          | two-processes / two-processes gate / three-processes / two-processes exp | expired | GET /me ; GET /feed ; GET /notes | 1
        an app, an extension, many calls  | two-processes / two-processes gate / three-processes | expired | GET /me & GET /notes ; GET /feed & GET /profile | 1
        a month later                     | - / gate / in-order / serial / ahead / exp | over | GET /me =none & GET /notes =none ; in ann ; GET /me | 0

        """

    /// How servers differ.
    private static let servers = """
        cold start with cookies           | - / gate / serial       | cookies          | GET /me & GET /notes & GET /feed | 1
        two days with cookies             | - / gate                | cookies          | GET /me ; wait 2h ; GET /me & POST /notes hello | 2
        the refresh token in a header     | - / gate / in-order     | bearer           | GET /me & GET /notes & GET /feed | 1
        refused with 419                  | - / gate / serial       | 419              | GET /me & GET /notes & POST /notes hello | 1
        opaque tokens                     | - / gate / ahead        | opaque           | GET /me ; wait 2h ; GET /me & GET /notes ; wait 2h ; GET /feed | 3
        refresh tokens that stay          | - / gate / ahead / serial | without-rotation | GET /me ; wait 2h ; GET /me & GET /notes ; wait 2h ; GET /me | 3
        refresh tokens with a grace       | - / gate / in-order     | grace            | GET /me & GET /notes ; wait 2h ; GET /feed & GET /me | 2
        one token endpoint                | - / gate / serial       | token-endpoint   | GET /me & GET /notes ; out ; in bob ; GET /me | 1
        tokens of five minutes            | - / ahead / exp / gate ahead | short-and-fresh | GET /me ; wait 4m ; GET /notes ; wait 4m ; GET /feed ; wait 4m ; GET /me | 1-3
        three queries                     | - / gate / in-order / serial / stamp | graphql  | query Me & query Feed & query Cart | 1
        three queries, refresh among them | - / gate / in-order / serial | graphql-only     | query Me & query Feed & query Cart | 1
        three queries, refused with 200   | - / gate / serial       | graphql-errors   | query Me & query Feed & query Cart | 1
        a mutation beside a query         | - / gate / stamp        | graphql          | mutation Save 1 & query Feed > query Feed ; mutation Save 2 | 1
        a mutation, refresh among them    | - / gate / stamp        | graphql-only     | mutation Save 1 & query Feed > query Feed ; mutation Save 2 | 1
        three days of operations          | - / gate / serial       | graphql-only     | query Me ; wait 2h ; query Me & query Feed ; wait 2h ; mutation Save 2 | 3
        a query is left                   | - / gate                | graphql          | query Feed left > query Pets | 1
        one of three queries is left      | -                       | graphql          | query Me & query Feed & query Cart left > mutation Save 1 | 1
        pictures on another server        | - / gate                | pictures         | GET /me > picture 1 & picture 2 | 1

        """

    /// What goes wrong on the way.
    private static let failures = """
        the refresh finds the server busy | - / gate / in-order / serial | busy-refresh  | GET /me & GET /notes | 1
        the next call tries it again      | patient / patient gate  | busy-refresh     | GET /me =none ; pause 2s > GET /me & GET /notes | 1
        the refresh is limited            | - / gate / serial       | limited-refresh  | GET /me & GET /notes | 1
        a later call tries it again       | patient / patient gate  | limited-refresh  | GET /me =none ; pause 40s > GET /me & GET /notes | 1
        its response is lost              | - / gate / in-order / serial | lost-refresh | GET /me & GET /notes | 2
        its connection breaks             | - / gate / serial       | broken-refresh   | GET /me & GET /notes | 2
        it takes a second                 | - / gate / in-order / serial / ahead | slow-refresh | GET /me & GET /notes & 300ms GET /feed & 600ms GET /profile | 1
        it takes a second, and one leaves | - / gate                | slow-refresh     | GET /feed left & GET /me & 300ms GET /notes | 1
        new tokens are refused, too       | - / gate / serial       | vain-refresh     | GET /me =401 & GET /notes =401 | 1-2
        and then a note is written        | - / gate                | vain-refresh     | GET /notes =401 > POST /notes hello =401 | 2
        fresh tokens are not renewed      | - / gate                | conflict         | GET /me & GET /notes & GET /feed & GET /profile | 1
        a list is limited                 | - / gate / serial       | limited          | GET /notes & GET /me | 0
        the server is down for a while    | - / serial / stamp      | maintenance      | GET /me & GET /notes & POST /notes a | 0
        a connection breaks               | retries / retries serial | broken          | GET /me & GET /notes | 0
        errors of another kind            | - / gate / ahead        | fresh            | GET /admin =403 ; GET /broken =500 ; GET /me | 0
        a token dies during an upload     | - / gate / serial       | upload           | upload /files/1 | 1
        the session ends elsewhere        | - / gate / in-order     | fresh            | GET /me ; revoke & revoke refresh ; GET /feed =none & GET /me =none ; in ann ; GET /feed | 0

        """
}
