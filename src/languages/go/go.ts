import type { Language } from '../language.ts'

/** Methods that interfaces of Go's own library ask for, with the number of their parameters. */
const GO_INTERFACES = new Set(
  (
    'Error0 String0 GoString0 Format2 Scan2 Len0 Less2 Swap2 Push1 Pop0 ServeHTTP2 RoundTrip1 Header0 WriteHeader1 ' +
    'Flush0 Hijack0 Read1 Write1 Close0 Seek2 ReadAt2 WriteAt2 ReadFrom1 WriteTo1 ReadByte0 UnreadByte0 WriteByte1 ' +
    'ReadRune0 UnreadRune0 WriteString1 MarshalJSON0 UnmarshalJSON1 MarshalText0 UnmarshalText1 AppendText1 ' +
    'MarshalBinary0 UnmarshalBinary1 AppendBinary1 MarshalXML2 UnmarshalXML2 MarshalXMLAttr1 UnmarshalXMLAttr1 ' +
    'GobEncode0 GobDecode1 Unwrap0 Is1 As1 Timeout0 Temporary0 Lock0 Unlock0 Value0 Value1 Deadline0 Done0 Err0 ' +
    'Set1 Get0 IsBoolFlag0 Open1 Stat0 Stat1 Sys0 Name0 Size0 Mode0 ModTime0 IsDir0 Type0 Info0 ReadDir1 ReadFile1 ' +
    'Glob1 Sub1 Sum1 Reset0 BlockSize0 Public0 Sign3 Decrypt3 Accept0 Addr0 Network0 LocalAddr0 RemoteAddr0 ' +
    'SetDeadline1 SetReadDeadline1 SetWriteDeadline1 Handle2 Enabled2 WithAttrs1 WithGroup1 LogValue0 Visit1 At2 ' +
    'Bounds0 ColorModel0 RGBA0 Convert1 Int630 Uint640 Seed1 Next1 Columns0 Prepare1 Begin0 Exec1 Query1 Commit0 ' +
    'Rollback0 RowsAffected0 LastInsertId0 NumInput0 Connect1 Driver0 SetCookies2 Cookies1 Token0 Pos0 End0'
  ).split(' '),
)

const GO_LIBRARY =
  /^(archive|bufio|bytes|C|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|time|unicode|unique|unsafe|weak)(\/|$)/

/** The interfaces of Go's own library. A template calls methods by their names, whatever the interface. */
const library: NonNullable<Language['library']> = {
  asksFor: (name, count) => GO_INTERFACES.has(`${name}${count}`),
  asksByInterfaces: module => GO_LIBRARY.test(module) && !/\btemplate$|^net\/rpc\b/.test(module),
}

export const go: Language = {
  name: 'go',
  libraryFrames: /\/go\/(?:src|pkg)\//,
  extensions: ['go'],
  parser: 'grammar',
  grammar: async () => (await import('./grammar.ts')).go,
  server: {
    name: 'gopls',
    extensions: ['go'],
    install: 'Install gopls with: go install golang.org/x/tools/gopls@latest',
    launch: {
      env: { GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
      reads: { variable: 'GOMODCACHE', place: 'go/pkg/mod' },
    },
  },
  documentation: { 'go.mod': ['go'] },
  bracketsInstantiate: true,
  satisfiesInterfaces: true,
  needsReceivers: true,
  resolvesLocalTypes: true,
  packageOf: folders => folders.join('.'),
  moduleFile: { name: 'go.mod', states: /^[ \t]*module\s+"?([^\s"]+)/m },
  library,
  reserved:
    'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
  indentation: '\t',
}
