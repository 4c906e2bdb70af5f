import { fileConcern } from '../concern.ts'
import { programs, type Check, type Program } from './program.ts'

/** Text after a colon may be an engine, a device or a variable instead of a file. */
const file: Check = text => (text.includes(':') ? `'${text}' may not be a file` : fileConcern(text))

/** Options have one dash or two. Options that write, sign, connect or load are not listed, and so ask. */
const SHOWS: Program = {
  does: 'read',
  operands: 'files',
  style: 'words',
  dashedIsOption: true,
  spelling: name => name.replace(/^--/, '-'),
  options: '-in@ -inform= -noout -text -help -verbose',
  checks: { '-in': file },
}
const more = (options: string, operands: Program['operands'] = 'none'): Program => ({
  ...SHOWS,
  operands,
  options: `${SHOWS.options ?? ''} ${options}`,
})

const DIGESTS = '-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -sha3-256 -sha3-512 -blake2b512 -c -r -hex -binary'
const NAMED =
  '-subject -issuer -serial -dates -startdate -enddate -fingerprint -hash -email -pubkey -modulus -purpose -nameopt= -certopt= -ext= -sha1 -sha256'

export const OPENSSL = programs({
  openssl: {
    does: 'read',
    operands: 'texts',
    optionsFirst: true,
    subcommands: programs({
      version: { ...SHOWS, operands: 'none', options: '-a -v -b -d -e -f -p -r -m -c -o' },
      'dgst md5 sha1 sha224 sha256 sha384 sha512': more(DIGESTS, 'files'),
      x509: more(`${NAMED} -checkend= -checkhost= -checkip= -ocsp_uri -alias`),
      req: more('-subject -pubkey -modulus -verify -nameopt='),
      crl: more('-issuer -lastupdate -nextupdate -fingerprint -hash -nameopt='),
      'rsa ec dsa pkey': more('-pubin -pubout -text_pub -check -pubcheck -modulus'),
      asn1parse: more('-i -dump -offset= -length= -strparse='),
      pkcs7: more('-print -print_certs'),
      verify: {
        ...more('-CAfile@ -untrusted@ -show_chain -purpose= -partial_chain', 'files'),
        checks: { '-CAfile': file },
      },
      rand: { ...SHOWS, operands: 'texts', options: '-hex -base64' },
      base64: more('-d -e -a -A -base64'),
      list: {
        ...SHOWS,
        operands: 'none',
        options: '-commands -digest-commands -digest-algorithms -cipher-algorithms -disabled -1 -v',
      },
      ciphers: { ...SHOWS, operands: 'texts', options: '-v -V -s -stdname -tls1_2 -tls1_3' },
      'help errstr prime': { ...SHOWS, operands: 'texts', options: '-hex' },
    }),
  },
})
