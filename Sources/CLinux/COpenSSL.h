// The functions of OpenSSL 1.1 and 3 that TLS requires, as the library's headers declare them. They are found in the
// system's library at runtime, so that neither a build nor a program without TLS requires OpenSSL.
#pragma once

#if defined(__linux__)

#include <stdint.h>

typedef int (*clinux_alpn_choice)(
    struct ssl_st *, const uint8_t **name, uint8_t *count, const uint8_t *offered, unsigned offered_count, void *
);

#define CLINUX_OPENSSL(F) \
    F(struct ssl_method_st *, TLS_method, (void))                                                                      \
    F(struct ssl_ctx_st *, SSL_CTX_new, (const struct ssl_method_st *))                                                \
    F(void, SSL_CTX_free, (struct ssl_ctx_st *))                                                                       \
    F(long, SSL_CTX_ctrl, (struct ssl_ctx_st *, int command, long, void *))                                            \
    F(uint64_t, SSL_CTX_set_options, (struct ssl_ctx_st *, uint64_t))                                                  \
    F(int, SSL_CTX_use_certificate, (struct ssl_ctx_st *, struct x509_st *))                                           \
    F(int, SSL_CTX_use_PrivateKey, (struct ssl_ctx_st *, struct evp_pkey_st *))                                        \
    F(int, SSL_CTX_check_private_key, (const struct ssl_ctx_st *))                                                     \
    F(void, SSL_CTX_set_alpn_select_cb, (struct ssl_ctx_st *, clinux_alpn_choice, void *))                             \
    F(int, SSL_CTX_set_alpn_protos, (struct ssl_ctx_st *, const uint8_t *, unsigned count))                            \
    F(int, SSL_select_next_proto, (const uint8_t **, uint8_t *, const uint8_t *, unsigned, const uint8_t *, unsigned)) \
    F(void, SSL_CTX_set_verify, (struct ssl_ctx_st *, int mode, void *))                                               \
    F(int, SSL_CTX_set_default_verify_paths, (struct ssl_ctx_st *))                                                    \
    F(struct x509_store_st *, SSL_CTX_get_cert_store, (const struct ssl_ctx_st *))                                     \
    F(int, X509_STORE_add_cert, (struct x509_store_st *, struct x509_st *))                                            \
    F(struct ssl_st *, SSL_new, (struct ssl_ctx_st *))                                                                 \
    F(void, SSL_free, (struct ssl_st *))                                                                               \
    F(long, SSL_ctrl, (struct ssl_st *, int command, long, void *))                                                    \
    F(void, SSL_set_bio, (struct ssl_st *, struct bio_st *input, struct bio_st *output))                               \
    F(int, SSL_set1_host, (struct ssl_st *, const char *))                                                             \
    F(struct X509_VERIFY_PARAM_st *, SSL_get0_param, (struct ssl_st *))                                                \
    F(int, X509_VERIFY_PARAM_set1_ip_asc, (struct X509_VERIFY_PARAM_st *, const char *))                               \
    F(int, SSL_accept, (struct ssl_st *))                                                                              \
    F(int, SSL_connect, (struct ssl_st *))                                                                             \
    F(int, SSL_read, (struct ssl_st *, void *, int count))                                                             \
    F(int, SSL_write, (struct ssl_st *, const void *, int count))                                                      \
    F(int, SSL_shutdown, (struct ssl_st *))                                                                            \
    F(int, SSL_get_error, (const struct ssl_st *, int result))                                                         \
    F(long, SSL_get_verify_result, (const struct ssl_st *))                                                            \
    F(const char *, X509_verify_cert_error_string, (long))                                                             \
    F(struct bio_method_st *, BIO_s_mem, (void))                                                                       \
    F(struct bio_st *, BIO_new, (const struct bio_method_st *))                                                        \
    F(long, BIO_ctrl, (struct bio_st *, int command, long, void *))                                                    \
    F(int, BIO_read, (struct bio_st *, void *, int count))                                                             \
    F(int, BIO_write, (struct bio_st *, const void *, int count))                                                      \
    F(struct x509_st *, d2i_X509, (struct x509_st **, const uint8_t **, long count))                                   \
    F(int, i2d_X509, (const struct x509_st *, uint8_t **))                                                             \
    F(void, X509_free, (struct x509_st *))                                                                             \
    F(struct evp_pkey_st *, d2i_AutoPrivateKey, (struct evp_pkey_st **, const uint8_t **, long count))                 \
    F(void, EVP_PKEY_free, (struct evp_pkey_st *))                                                                     \
    F(struct evp_cipher_ctx_st *, EVP_CIPHER_CTX_new, (void))                                                          \
    F(void, EVP_CIPHER_CTX_free, (struct evp_cipher_ctx_st *))                                                         \
    F(const struct evp_cipher_st *, EVP_get_cipherbyname, (const char *))                                              \
    F(int, EVP_EncryptInit_ex, (struct evp_cipher_ctx_st *, const struct evp_cipher_st *, void *engine,                \
                                const uint8_t *key, const uint8_t *vector))                                            \
    F(int, EVP_EncryptUpdate, (struct evp_cipher_ctx_st *, uint8_t *, int *count, const uint8_t *, int))               \
    F(unsigned long, ERR_get_error, (void))                                                                            \
    F(void, ERR_clear_error, (void))                                                                                   \
    F(const char *, ERR_reason_error_string, (unsigned long))

#define CLINUX_MEMBER(result, name, parameters) result(*name) parameters;

struct clinux_openssl {
    CLINUX_OPENSSL(CLINUX_MEMBER)
    // SSL_get_peer_certificate before OpenSSL 3.
    struct x509_st *(*SSL_get1_peer_certificate)(const struct ssl_st *);
    // NULL before OpenSSL 1.1.1, which introduced TLS 1.3 and its tickets.
    int (*_Nullable SSL_CTX_set_num_tickets)(struct ssl_ctx_st *, unsigned long);
};

void *clinux_dlsym(void *library, const char *name) __asm__("dlsym");

#define CLINUX_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = clinux_dlsym(library, #name))) return #name;

// Returns the name of a function that the library lacks; NULL if it has all.
static inline const char *clinux_openssl_find(struct clinux_openssl *functions, void *library) {
    CLINUX_OPENSSL(CLINUX_FIND)
    *(void **)&functions->SSL_CTX_set_num_tickets = clinux_dlsym(library, "SSL_CTX_set_num_tickets");
    void *certificate = clinux_dlsym(library, "SSL_get1_peer_certificate");
    if (!certificate) certificate = clinux_dlsym(library, "SSL_get_peer_certificate");
    *(void **)&functions->SSL_get1_peer_certificate = certificate;
    return certificate ? (const char *)0 : "SSL_get1_peer_certificate";
}

#endif
