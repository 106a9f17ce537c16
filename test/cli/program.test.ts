import { describe, expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

test('help shows commands and exit codes', async () => {
  const { stdout, stderr, code } = await runCommandLine(['--help'])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: mongo-perf [options] [command]

    Measure what a setting, document, index, topology or driver change costs on your MongoDB.

    Options:
      -V, --version                  output the version number
      -h, --help                     display help for command

    Commands:
      run [options] <specs...>       Run specs and print their reports
      check [options] [specs...]     Validate specs and show what they would do, without a server; or
                                     check a document
      report [options] <results...>  Make HTML, markdown, CSV and charts again from results
      compare [options] <A> [B]      Compare results: whether B is better or worse than A, or not
                                     decided
      ab [options] [spec] [other]    Run two sides in turn, and compare them: whether B is slower than A
      size [options] [spec]          Find the highest rate that a server takes under limits, such as a
                                     p99 of 10 ms
      history [options] [spec]       Show how the results of specs changed over time, and where
      micro [options] [names...]     Run the microbenchmarks of the MongoDB driver benchmark
                                     specification
      init [options] [file]          Write a spec to start from: a small one, or one modelled on your
                                     collection
      import                         Write specs from workloads of other tools
      list [what]                    List specs (the default), columns, operations, faults, checks,
                                     generators, functions, targets, micro, binaries (of servers)
      schema                         Print the JSON Schema of specs, for editors
      agent [options]                Make load on this machine for \`run --agents\`, with the URI that
                                     this machine has
      agents [options]               List the agents that wait for runs or work for one
      doctor [options]               Show what works on this machine, and what does not
      clean                          End servers that a killed run has left behind, remove their data,
                                     and name indexes that it has left
      help [command]                 display help for command

    Exit codes:
      0    done
      1    a bug in mongo-perf
      2    bad spec or usage
      3    refused for safety
      4    no server to start, unreachable, or not measurable here
      5    threshold missed, B worse than A, or a document that is older than its results
      6    a check was violated
      7    done, but operations failed or faults were not injected, and no threshold allows that
      130  aborted
    "
  `)
})

test('help of "run" shows its options', async () => {
  const { stdout, code } = await runCommandLine(['run', '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatchInlineSnapshot(`
    "Usage: mongo-perf run [options] <specs...>

    Run specs and print their reports

    Arguments:
      specs                           paths of specs, names of shipped ones (\`mongo-perf list\`), or
                                      folders of either

    Options:
      --out <folder>                  where results go, each in a folder of its spec; an earlier one is
                                      kept in "previous" there (default: "mongo-perf-results")
      --profile <name>                use the parameters of a profile of the spec
      --set <name=value>              set a parameter (repeatable)
      --engine <name>                 measure all phases with this engine, "driver" or "wire"
      --functions <module>            the functions of the spec: what this module exports. Loading it
                                      runs its code
      --only <row>                    run only rows with "name=value" or with this label (repeatable, to
                                      narrow)
      --servers <name=uri,…>          measure each of these servers instead (repeatable)
      --facts <server.name=value>     a fact about one of the --servers, for the report (repeatable)
      --threshold <text>              add a threshold, such as "findOne.p99Ms < 5" (repeatable)
      --abort-on-threshold            end the run after the first row that misses a threshold
      --allow-writes <db.collection>  allow writes to a collection that mongo-perf did not create
                                      (repeatable)
      --allow <operator>              allow an operator that the spec lists in "allow", such as
                                      '$where', in quotes (repeatable)
      --allow-step-down               allow a \`stepDown\` fault on a server that mongo-perf did not start
      --repeat <n>                    run every row n times, interleaved; cells show the runs together
      --fresh-servers                 start new servers for every run of every row (default: runs that
                                      need the same servers share them)
      --target <kind>                 measure the server of MONGO_PERF_URI instead of the spec’s target
                                      (choices: "existing")
      --uri <uri>                     measure this server instead; or name=uri for a named target
                                      (repeatable)
      --allow-remote                  allow servers on other machines
      --agents <url>                  have the agents at this Redis or Valkey make the load; see
                                      \`mongo-perf agent\`
      --min-agents <n>                agents that have to be there before the run begins (default: 1);
                                      it waits for them up to 30 s. Without --agents, they are at
                                      MONGO_PERF_QUEUE
      --mongod <path>                 the mongod to start
      --driver <package>              measure with this driver: the folder or the name of an installed
                                      package
      --resume                        keep the finished rows of the existing result, and run the others
      --watch                         run a smoke of the spec whenever it is saved, and show its report:
                                      with its profile "smoke", else with phases of 2 s; nothing is
                                      written
      --compact                       keep small results: no time lines and single timings, coarse
                                      histograms
      --into <file>                   put the report of every spec that is done into this Markdown
                                      document
      --baseline <name>               compare with this baseline; exit code 5 where the result is worse
      --save-baseline <name>          save the result as this baseline, and add it to its history
      --save-history <name>           add the result to the history beside this baseline
      --baselines <folder>            where baselines and their histories are, to be committed (default:
                                      "mongo-perf-baselines")
      --strict                        end with exit code 5 also where a figure has no clear verdict, or
                                      is missing on one side
      --live                          show the run in a browser of this machine while it goes on; the
                                      address is printed
      --live-port <port>              the same at this port of 127.0.0.1 (default: any free one)
      --metrics <[host:]port>         serve /metrics in the format of Prometheus while it goes on; the
                                      host is 127.0.0.1 unless given
      --stream <file>                 write events to this file while it goes on, as NDJSON: one a
                                      second, and one for each row, phase and fault; replaces the file,
                                      with --resume adds to it
      --show-commands                 print every command that started and configured a server
      --format <format>               what is printed; "text" is for a terminal, and its default;
                                      elsewhere it is "md". "github" is for the summary of a CI job,
                                      "ycsb" has lines like those of YCSB (choices: "text", "md",
                                      "json", "csv", "github", "ycsb")
      --reference                     put the published figures that the spec names beside the measured
                                      ones
      -q, --quiet                     print only warnings and errors, and the report only if --format is
                                      given
      --log-level <level>             what is logged (choices: "trace", "debug", "info", "warn",
                                      "error", "silent", default: "warn")
      --log-json                      log JSON lines
      -h, --help                      display help for command
    "
  `)
})

test('the version is that of the package', async () => {
  const { stdout, code } = await runCommandLine(['--version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('no command at all shows the help to people, as a wrong usage', async () => {
  const { stdout, stderr, code } = await runCommandLine([])
  expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
  expect(stderr).toContain('Usage: mongo-perf')
})

describe('a wrong usage ends with 2 and names what is wrong', () => {
  test.each([
    [['rnu'], "unknown command 'rnu'"],
    [['run'], "missing required argument 'specs'"],
    [['run', 'quickstart', '--bogus'], "unknown option '--bogus'"],
    [
      ['run', 'quickstart', '-p', 'recordcount=5'],
      '--set name=value sets a parameter; `mongo-perf import ycsb FILE -p',
    ],
    [['run', 'quickstart', '--format', 'xml'], 'Allowed choices are text, md, json, csv'],
    [['run', 'quickstart', '--repeat', '0'], 'a whole number above 0'],
    [['run', 'quickstart', '--target', 'standalone'], 'Allowed choices are existing'],
    [['run', 'quickstart', '--set', 'documents'], '--set documents does not name a parameter and a value'],
    [['run', 'quickstart', '--set', 'documnts=1'], 'did you mean "documents"?'],
    [['run', 'quickstart', '--profile', 'tiny'], 'There is no profile "tiny"'],
    [['run', 'quickstart', '--only', 'x=1'], 'No row matches "x=1"'],
    [['run', 'quickstart', '--uri', 'localhost'], 'neither a MongoDB URI nor "name=URI"'],
    [['run', 'quickstart', 'quickstart'], 'the same folder of results'],
    [['check', 'quickstrat'], 'did you mean "quickstart"?'],
    [['report', 'no-such-result.json'], 'no-such-result.json cannot be read (ENOENT)'],
    [['list', 'columms'], 'Allowed choices are specs, columns'],
  ])('%j', async (args, words) => {
    const { stdout, stderr, code } = await runCommandLine(args)
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 })
    expect(stderr).toContain(words)
    expect(stderr).toMatch(/\nhint: .+\n$/)
  })
})
