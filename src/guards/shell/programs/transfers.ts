import { fileConcern } from '../concern.ts'
import { programs, type Check } from './program.ts'
import { has } from './read-arguments.ts'

/** Host names by which curl guesses another protocol. */
const OTHER = /^(ftps?|dict|ldaps?|imaps?|smtps?|pop3s?|gopher|rtsp|mqtt|tftp|telnet)\./i
const ADDRESS = /^(https?:\/\/[^/]|[\w-][\w.-]*(:\d+)?([/?#]|$))/i

const address: Check = text =>
  ADDRESS.test(text) && !OTHER.test(text) ? undefined : `'${text}' is no address of the web`

/** A value with one of these prefixes is a file name. */
const noFile: Check = text => (/^[@<]/.test(text) ? `'${text}' may be a file` : undefined)

/** `name@file` reads the file; everything after an equals sign is text. */
const query: Check = text => (/^[^=]*@/.test(text) ? `'${text}' may be a file` : undefined)

const format: Check = text => noFile(text) ?? (/%\s*output/i.test(text) ? 'the format writes a file' : undefined)

/** `host:file` starts a program that connects. */
const local: Check = text => (text.includes(':') ? `'${text}' is on another machine` : fileConcern(text))

/** Programs that fetch. Covers printing the result, but not writing or sending files. */
export const TRANSFERS = programs({
  curl: {
    does: 'read',
    operands: 'texts',
    check: address,
    flags: 'sSfLIikv46gGNV#',
    options: `-A= -H= -e= -m= -X= -d= -w= -o> --silent --show-error --fail --fail-with-body --location --head --include --insecure
    --verbose --ipv4 --ipv6 --globoff --get --no-buffer --compressed --user-agent= --header= --referer= --max-time= --connect-timeout=
    --request= --data= --data-raw= --data-ascii= --json= --write-out= --retry= --retry-delay= --retry-all-errors --retry-connrefused
    --url= --http1.1 --http2 --tlsv1.2 --tlsv1.3 --max-redirs= --progress-bar --no-progress-meter --url-query= --output>`,
    risky: `-K@ -T@ -F= -D> -c> -b@ -E@ -x= -u= -n -q -O -J -t= -C= -r= -Q= -y= -Y= -z= -P= -U= --config@ --upload-file@ --form=
    --form-string= --dump-header> --cookie-jar> --cookie@ --cert@ --key@ --cacert@ --capath@ --proxy= --user= --netrc --netrc-file@
    --trace> --trace-ascii> --libcurl> --stderr> --etag-save> --etag-compare@ --hsts> --alt-svc> --output-dir= --engine= --next
    --unix-socket@ --abstract-unix-socket= --data-binary= --data-urlencode= --variable= --remote-name --remote-header-name
    --resolve= --connect-to= --proto= --proto-default= --interface= --dns-servers= --doh-url= --preproxy= --socks5=`,
    checks: {
      '-H': noFile,
      '--header': noFile,
      '-d': noFile,
      '--data': noFile,
      '--data-ascii': noFile,
      '--json': noFile,
      '-w': format,
      '--write-out': format,
      '--url': address,
      '--url-query': query,
    },
  },
  // It writes a file by default.
  wget: {
    does: 'read',
    operands: 'texts',
    check: address,
    flags: 'qSvd46V',
    options: `-T= -t= -U= -O> -nv --spider --quiet --verbose --no-verbose --server-response --timeout= --tries= --user-agent= --header=
    --max-redirect= --compression= --output-document> --no-check-certificate --no-hsts --inet4-only --inet6-only`,
    risky: `-o> -a> -i@ -e= -P= -B= -r -m -p -k -K -x -c -N -l= -A= -R= -D= -I= -X= -Q= -w= --output-file> --append-output> --input-file@
    --execute= --post-file@ --post-data= --body-file@ --body-data= --use-askpass! --config@ --directory-prefix= --save-cookies>
    --load-cookies@ --warc-file> --certificate@ --private-key@ --ca-certificate@ --recursive --mirror --page-requisites --hsts-file>`,
    judge: (reading, words) =>
      has(reading, '-O', '--output-document', '--spider', '-V') ? [] : [{ at: words.length, what: 'it writes a file' }],
  },
  scp: {
    does: 'write',
    operands: 'texts',
    flags: '346ABCOpqRrTv',
    options: '-c= -l= -P= -i=',
    risky: '-S! -o= -F@ -J= -D= -X=',
  },
  rsync: {
    does: 'write',
    operands: 'texts',
    check: local,
    flags: 'avzrlptgoDhnqucHAXPiWxRS',
    options: `--archive --verbose --compress --recursive --links --perms --times --group --owner --dry-run --quiet --update --checksum
    --human-readable --progress --partial --stats --itemize-changes --exclude= --include= --delete --existing --ignore-existing
    --size-only --max-size= --min-size=`,
    risky:
      '-e! -f= -T@ -B= -M= --rsh! --rsync-path! --files-from@ --log-file> --exclude-from@ --include-from@ --temp-dir@ --backup-dir@',
  },
})
