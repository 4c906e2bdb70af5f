import { fileConcern } from '../concern.ts'
import { programs, type Check, type Program } from './program.ts'

/** Accepts one dash or two, in upper or lower case. */
const tscName = (name: string): string => name.replace(/^--?/, '-').toLowerCase()
const goName = (name: string): string => name.replace(/^--/, '-')

const file: Check = text => (text.startsWith('@') ? `${text} holds further arguments` : fileConcern(text))

const CARGO_OPTIONS = `-p= -j= -F= -q -v -vv -r -h --package= --jobs= --features= --quiet --verbose --release --workspace --all --all-targets
  --all-features --no-default-features --target= --lib --bin? --bins --test? --tests --example? --examples --bench? --benches --doc
  --no-run --no-fail-fast --locked --offline --frozen --color= --message-format= --profile= --keep-going --exclude= --no-deps --check
  --fix --allow-dirty --allow-staged --edges= --invert? -i= --depth= --duplicates --format-version= --list --open --dry-run -e= -d
  --document-private-items --future-incompat-report --timings --ignore-rust-version --limit= --dev --build --optional`
const CARGO_RISKY = `-Z= -C@ --config= --manifest-path@ --target-dir@ --out-dir@ --artifact-dir@ --root@ --path@ --git= --registry= --index=
  --lockfile-path@ --build-plan --unit-graph`
const CARGO: Program = { does: 'run', operands: 'texts', options: CARGO_OPTIONS, risky: CARGO_RISKY, style: 'words' }

const GO_OPTIONS = `-a -n -p= -race -msan -asan -cover -covermode= -coverpkg= -v -x -trimpath -mod= -modcacherw -tags= -buildvcs? -json -short
  -run= -bench= -benchmem -benchtime= -count= -cpu= -failfast -fullpath -list= -parallel= -shuffle= -skip= -timeout= -vet= -i -e -f= -m -deps
  -find -test -compiled -retracted -versions -fix -d -t -s -u -cmd -all -src -diff -go= -compat= -h -work`
const GO_RISKY = `-exec! -toolexec! -vettool! -overlay@ -modfile@ -o> -C@ -ldflags= -gcflags= -gccgoflags= -asmflags= -compiler= -pkgdir@
  -outputdir@ -w -coverprofile> -cpuprofile> -memprofile> -blockprofile> -mutexprofile> -trace> -installsuffix= -linkshared -buildmode=
  -pgo@ -export -args -reuse= -replace= -modcache -cache -testcache -fuzz= -fuzztime= -artifacts -c`
const GO: Program = {
  does: 'run',
  operands: 'texts',
  check: text => (/^(\/|~)|(^|\/)\.\.(\/|$)/.test(text) ? fileConcern(text) : undefined),
  style: 'words',
  spelling: goName,
  options: GO_OPTIONS,
  risky: GO_RISKY,
  checks: { '-vet': text => (/^[\w,]*$/.test(text) ? undefined : 'it may be a program') },
}

/** Programs that check and build the sources of the workspace. */
export const COMPILERS = programs({
  tsc: {
    does: 'run',
    dashedIsOption: true,
    operands: 'texts',
    check: file,
    style: 'words',
    endless: true,
    spelling: tscName,
    options: `-h -v -w -p@ -b -d -i -m= -t= -all -help -version -watch -project@ -build -force -dry -verbose -clean -noemit -noemitonerror
    -emitdeclarationonly -declaration -declarationmap -sourcemap -inlinesourcemap -strict -target= -module= -moduleresolution= -jsx= -lib=
    -types= -incremental -composite -skiplibcheck -skipdefaultlibcheck -listfiles -listfilesonly -listemittedfiles -traceresolution
    -explainfiles -diagnostics -extendeddiagnostics -showconfig -pretty -preservewatchoutput -locale= -esmoduleinterop
    -allowsyntheticdefaultimports -allowjs -checkjs -resolvejsonmodule -isolatedmodules -verbatimmodulesyntax -noimplicitany
    -noimplicitreturns -nounusedlocals -nounusedparameters -nouncheckedindexedaccess -exactoptionalpropertytypes -nofallthroughcasesinswitch
    -noimplicitoverride -strictnullchecks -removecomments -downleveliteration -importhelpers -experimentaldecorators
    -allowimportingtsextensions -rewriterelativeimportextensions -erasablesyntaxonly -rootdir@ -outdir@ -declarationdir@ -baseurl@
    -tsbuildinfofile@ -maxnodemodulejsdepth= -nocheck -stopbuildonerrors -assumechangesonlyaffectdirectdependencies`,
    risky:
      '-outfile> -out> -init -generatetrace> -generatecpuprofile> -pprofdir> -plugins= -typeroots@ -rootdirs@ -paths=',
  },
  eslint: {
    does: 'run',
    separate: true,
    dashedIsOption: true,
    operands: 'files',
    flags: 'hv',
    options: `-f= --fix --fix-dry-run --fix-type= --ext= --max-warnings= --quiet --cache --no-cache --cache-strategy=
    --no-error-on-unmatched-pattern --report-unused-disable-directives --report-unused-disable-directives-severity= --color --no-color
    --stdin --stdin-filename@ --ignore-pattern= --no-ignore --no-inline-config --inline-config --rule= --env= --global= --debug
    --no-warn-ignored --pass-on-no-patterns --print-config@ --concurrency= --stats --format= --exit-on-fatal-error --no-eslintrc`,
    risky:
      '-c@ -o> --config@ --rulesdir@ --plugin= --parser= --parser-options= --resolve-plugins-relative-to@ --output-file> --cache-location> --cache-file> --init --flag= --ignore-path@ --env-info',
    checks: { '-f': formatter, '--format': formatter },
  },
  prettier: {
    does: 'write',
    separate: true,
    dashedIsOption: true,
    operands: 'files',
    flags: 'clwuhv',
    options: `--check --list-different --write --no-color --color --log-level= --loglevel= --ignore-unknown --no-error-on-unmatched-pattern
    --tab-width= --use-tabs --print-width= --single-quote --no-semi --semi --trailing-comma= --parser= --stdin-filepath@ --cache
    --no-config --no-editorconfig --end-of-line= --prose-wrap= --with-node-modules`,
    risky:
      '--config@ --plugin= --plugin-search-dir= --ignore-path@ --config-path@ --cache-location> --find-config-path=',
    checks: { '--parser': text => (/^[\w-]+$/.test(text) ? undefined : `'${text}' may be a module`) },
  },
  cargo: {
    ...CARGO,
    optionsFirst: true,
    subcommands: programs({
      'build b test t check c clippy run r bench doc d fmt fix clean update add remove rm fetch generate-lockfile vendor package init new install uninstall nextest tree metadata pkgid':
        CARGO,
      'publish yank owner login logout': { ...CARGO, asks: 'it sends something to a registry' },
      'search info help version locate-project verify-project read-manifest': {
        ...CARGO,
        does: 'read',
      },
    }),
  },
  go: {
    ...GO,
    optionsFirst: true,
    subcommands: programs({
      'build vet fmt fix get generate mod work clean test tool list': GO,
      'run install': {
        ...GO,
        check: text => (text.includes('@') ? `'${text}' is a program from outside the workspace` : GO.check?.(text)),
      },
      'version doc help': { ...GO, does: 'read' },
      env: { does: 'read', operands: 'texts', style: 'words', spelling: goName, options: '-json -changed' },
    }),
  },
  'gcc g++ cc c++ clang clang++': {
    does: 'run',
    operands: 'texts',
    style: 'words',
    endless: true,
    shapes:
      /^-(c|S|E|g\d?|v|w|pipe|pthread|ansi|pedantic|shared|static|O[0-3sgz]?|Ofast|W(?!l,|p,|a,)[\w+=-]*|[DU]\w+(=[\w.]*)?|l[\w+.]+|std=[\w+]+|m[\w=.-]+|f(?!plugin|use-ld|dump|profile|stack-usage)[\w=.-]+|M{1,2}[DP]?|[IL](\.|(?!.*\.\.)\w[\w./-]*))$/,
    options: '-include@ -x= -I@ -L@',
    risky: '-o> -wrapper! -B@ -specs@ -Xclang= -load= -MF> -MT= -Xlinker= -Xassembler= -T@',
    check: file,
  },
})

function formatter(text: string): string | undefined {
  return /^(stylish|json|json-with-metadata|html|compact|unix|checkstyle|junit|tap|visualstudio|jslint-xml)$/.test(text)
    ? undefined
    : `'${text}' may be a module`
}
