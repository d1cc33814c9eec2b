/// The version that commands print and reports name.
package enum BacklotVersion {
    package static let text = "0.1.0"
}
