extension Contract {
    /// The same contract, by which a text must be of its `format`: a date no other text, a UUID no word.
    ///
    /// Schemas only note formats by themselves (JSON Schema 2020-12, section 7.2.1).
    package func assertingFormats() -> Contract {
        Contract(
            path: path,
            version: version,
            title: title,
            servers: servers,
            operations: operations,
            securitySchemes: securitySchemes,
            sources: sources,
            watched: watched,
            findings: findings,
            schemas: schemas.assertingFormats(),
            index: index,
            documents: documents,
            survey: survey
        )
    }
}
