// The signatures of the part of Apple's Security that this package uses. Nothing here is ever run.

@_exported import CoreFoundation

public final class SecCertificate {}
public final class SecTrust {}
public final class SecIdentity {}
public final class SSLContext {}

public let errSecSuccess: OSStatus = 0
public let errSSLWouldBlock: OSStatus = -9803
public let errSSLClosedGraceful: OSStatus = -9805
public let errSSLClosedNoNotify: OSStatus = -9816
public let errSSLPeerHandshakeFail: OSStatus = -9824
public let errSSLPeerBadCert: OSStatus = -9825
public let errSSLPeerUnsupportedCert: OSStatus = -9826
public let errSSLPeerCertRevoked: OSStatus = -9827
public let errSSLPeerCertExpired: OSStatus = -9828
public let errSSLPeerCertUnknown: OSStatus = -9829
public let errSSLPeerUnknownCA: OSStatus = -9831
public let errSSLPeerProtocolVersion: OSStatus = -9836
public let errSSLPeerAuthCompleted: OSStatus = -9841

nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = CFString()
nonisolated(unsafe) public let kSecImportItemIdentity: CFString = CFString()

public func SecPKCS12Import(
    _ file: CFData, _ options: CFDictionary, _ items: UnsafeMutablePointer<CFArray?>
) -> OSStatus { 0 }
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? { nil }
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { fatalError() }
@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchors: CFArray?) -> OSStatus { 0 }
@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ only: Bool) -> OSStatus { 0 }
@available(macOS 10.14, iOS 12, *)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool { false }
@available(macOS 12, iOS 15, *)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { nil }

#if os(macOS)
    @available(macOS 15, *)
    nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = CFString()
#endif

// Secure Transport, deprecated since macOS 10.15 and iOS 13.
public typealias SSLConnectionRef = UnsafeRawPointer
public typealias SSLReadFunc =
    @convention(c) (SSLConnectionRef, UnsafeMutableRawPointer, UnsafeMutablePointer<Int>) -> OSStatus
public typealias SSLWriteFunc = @convention(c) (SSLConnectionRef, UnsafeRawPointer, UnsafeMutablePointer<Int>) -> OSStatus
public enum SSLProtocolSide: Int32 { case serverSide, clientSide }
public enum SSLConnectionType: Int32 { case streamType, datagramType }
public enum SSLProtocol: Int32 { case tlsProtocol12 = 8 }
public enum SSLSessionOption: Int32 { case breakOnServerAuth = 0 }
public func SSLCreateContext(_ allocator: CFAllocator?, _ side: SSLProtocolSide, _ type: SSLConnectionType) -> SSLContext? {
    nil
}
@discardableResult
public func SSLSetIOFuncs(_ context: SSLContext, _ read: SSLReadFunc, _ write: SSLWriteFunc) -> OSStatus { 0 }
@discardableResult
public func SSLSetConnection(_ context: SSLContext, _ connection: SSLConnectionRef?) -> OSStatus { 0 }
@discardableResult
public func SSLSetCertificate(_ context: SSLContext, _ certificates: CFArray?) -> OSStatus { 0 }
@discardableResult
public func SSLSetPeerDomainName(_ context: SSLContext, _ name: UnsafePointer<CChar>?, _ length: Int) -> OSStatus { 0 }
@discardableResult
public func SSLSetSessionOption(_ context: SSLContext, _ option: SSLSessionOption, _ value: Bool) -> OSStatus { 0 }
@discardableResult
public func SSLSetProtocolVersionMin(_ context: SSLContext, _ version: SSLProtocol) -> OSStatus { 0 }
@discardableResult
public func SSLSetALPNProtocols(_ context: SSLContext, _ protocols: CFArray) -> OSStatus { 0 }
public func SSLCopyALPNProtocols(_ context: SSLContext, _ protocols: UnsafeMutablePointer<CFArray?>) -> OSStatus { 0 }
public func SSLCopyPeerTrust(_ context: SSLContext, _ trust: UnsafeMutablePointer<SecTrust?>) -> OSStatus { 0 }
public func SSLHandshake(_ context: SSLContext) -> OSStatus { 0 }
public func SSLRead(
    _ context: SSLContext, _ data: UnsafeMutableRawPointer, _ length: Int, _ processed: UnsafeMutablePointer<Int>
) -> OSStatus { 0 }
public func SSLWrite(
    _ context: SSLContext, _ data: UnsafeRawPointer?, _ length: Int, _ processed: UnsafeMutablePointer<Int>
) -> OSStatus { 0 }
@discardableResult public func SSLClose(_ context: SSLContext) -> OSStatus { 0 }
