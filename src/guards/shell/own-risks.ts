import { isInside } from './inside.ts'

type Look = (text: string) => string | undefined

/** Options that load code or another configuration, and files outside; the program itself runs what the workspace says. */
const looking =
  (risky: RegExp): Look =>
  text => {
    if (risky.test(text)) return `${text} may run a program or write a file`
    const path = text.slice(text.indexOf('=') + 1)
    return /^(\/|~|\.\.(\/|$))/.test(path) && !isInside(path) ? `'${path}' is outside the workspace` : undefined
  }

/** Programs that run much by themselves, with what a rule for them does not cover. */
export const OWN_RISKS: readonly (readonly [RegExp, Look])[] = [
  [/^tsc$/, looking(/^@|^--?(outFile|init|generateTrace|generateCpuProfile|plugins)$/i)],
  [
    /^eslint$/,
    looking(
      /^(-[cof]|--(config|rulesdir|plugin|parser|resolve-plugins-relative-to|format|output-file|cache-\w+))(=|$)/,
    ),
  ],
  [
    /^(pytest|py\.test)$/,
    looking(
      /^(-[cpo]|--(rootdir|confcutdir|pdbcls|basetemp|junit-?xml|config-file|override-ini|log-file|import-mode)(=|$))/,
    ),
  ],
  [
    /^(jest|vitest|mocha|ava)$/,
    looking(
      /^(-[cr]|--(config|rootDir|globalSetup|globalTeardown|reporters?|testRunner|runner|setupFiles\w*|transform|resolver|env\w*|testEnvironment|require|dir|root|outputFile))([=.]|$)/i,
    ),
  ],
  [/^cargo$/, looking(/^\+|^-[ZC]|^--(config|manifest-path|target-dir|out-dir|artifact-dir|root)(=|$)/)],
  [
    /^go$/,
    looking(
      /^--?(exec|toolexec|vettool|overlay|modfile|o|C|ldflags|gcflags|gccgoflags|asmflags|compiler|pkgdir|outputdir|w|u|\w*profile)(=|$)/,
    ),
  ],
  [/^(gcc|g\+\+|cc|c\+\+|clang|clang\+\+)$/, looking(/^(-wrapper|-B|-fplugin|-?-specs|@|-Xclang|-load|-fuse-ld|-Wl,)/)],
  [/^openssl$/, looking(/^-(engine|provider|provider-path|out|keyout|writerand|config)$/)],
  [
    /^sqlite3$/,
    looking(
      /^-?-(cmd|init)$|(^|[\s;])\.(shell|system|import|output|once|read|load|backup|save|open|log|excel|restore|ar\w*)\b|load_extension|writefile|readfile|edit\(/i,
    ),
  ],
]
