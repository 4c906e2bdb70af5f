const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'source'])

/** Reports whether a program runs a file as a shell script. */
export const isShell = (name: string): boolean => SHELLS.has(name)

const INTERPRETERS =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python|pypy|perl|ruby|php|lua|rscript|tclsh|osascript|expect|awk|gawk|mawk)[\d.]*$/

/** Reports whether a program runs a file in another language. */
export const isInterpreter = (name: string): boolean => INTERPRETERS.test(name)

const READERS: ReadonlySet<string> = new Set(
  'ed ex vi vim nvim gvim view gdb lldb dc bc m4 sqlite3 psql mysql mariadb ftp sftp lftp at batch parallel cmake'.split(
    ' ',
  ),
)

/** Reports whether a program may take commands from its input, or from any file that it is given. */
export const readsCommands = (name: string): boolean => READERS.has(name)

const MODULES = ['js', 'cjs', 'mjs', 'ts', 'cts', 'mts']
const modules = (...names: readonly string[]): readonly string[] =>
  names.flatMap(name => MODULES.map(extension => `${name}.${extension}`))

const VITE = modules('vite.config')
const ESLINT = [...modules('eslint.config'), '.eslintrc.js', '.eslintrc.cjs']
const JEST = modules('jest.config')

/** Files that a program executes, or reads commands from, without being told to. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  vitest: [...modules('vitest.config', 'vitest.workspace'), ...VITE],
  vite: VITE,
  jest: JEST,
  webpack: modules('webpack.config'),
  rollup: modules('rollup.config'),
  eslint: ESLINT,
  prettier: [...modules('prettier.config'), '.prettierrc.js', '.prettierrc.cjs', '.prettierrc.mjs'],
  babel: [...modules('babel.config'), '.babelrc.js'],
  playwright: modules('playwright.config'),
  cypress: modules('cypress.config'),
  mocha: ['.mocharc.js', '.mocharc.cjs'],
  karma: modules('karma.conf'),
  tsup: modules('tsup.config'),
  next: modules('next.config'),
  nuxt: modules('nuxt.config'),
  astro: modules('astro.config'),
  tailwindcss: modules('tailwind.config'),
  gulp: modules('gulpfile'),
  grunt: modules('Gruntfile'),
  pytest: ['conftest.py', 'tests/conftest.py', 'pytest.ini', 'pyproject.toml', 'setup.cfg', 'tox.ini'],
  tox: ['tox.ini', 'pyproject.toml', 'setup.cfg'],
  nox: ['noxfile.py'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  cargo: ['build.rs', '.cargo/config.toml'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  cmake: ['CMakeLists.txt'],
  gradle: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  gradlew: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
  mvn: ['pom.xml'],
  ant: ['build.xml'],
}

/** `docker build` and `docker compose` read different files. */
const CONTAINERS: readonly (readonly [word: string, files: readonly string[]])[] = [
  ['compose', ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']],
  ['build', ['Dockerfile', 'Containerfile']],
]

/** Returns the names of files that a program is known to run or to take commands from. */
export function configFilesOf(name: string, words: readonly string[]): readonly string[] {
  if (name === 'docker' || name === 'podman')
    return CONTAINERS.flatMap(([word, files]) => (words.includes(word) ? files : []))
  return Object.hasOwn(KNOWN, name) ? (KNOWN[name] ?? []) : []
}
