import { Problem } from '../../core/errors.ts'

/** A way in which a queue cannot be reached: how the error is known, what it means, and what to do. */
type Failure = { readonly pattern: RegExp; readonly reason: string; readonly hint: string }

const failures: readonly Failure[] = [
  {
    pattern: /WRONGPASS|invalid password/,
    reason: 'it refuses the user name or the password',
    hint: 'Check both in the URL, with special characters percent-encoded, and that the ACL user is enabled.',
  },
  {
    pattern: /NOAUTH/,
    reason: 'it wants a password',
    hint: 'Put it into the URL: redis://<user>:<password>@host:6379, or redis://:<password>@host:6379.',
  },
  {
    pattern: /NOPERM/,
    reason: 'its user lacks a right that agents and runs need',
    hint: 'docs/many-machines.md has a rule for its access list.',
  },
  {
    pattern: /DB index|not an integer/,
    reason: 'it has no database with the number after the host',
    hint: 'Take the number out of the URL, or raise "databases" in the configuration of Redis.',
  },
  {
    pattern: /ECONNREFUSED/,
    reason: 'no server listens there',
    hint: 'Start Redis or Valkey there, or check host and port. A server that listens on 127.0.0.1 only is not seen from other machines.',
  },
  {
    pattern: /ENOTFOUND|EAI_AGAIN/,
    reason: 'the name of its host is not known',
    hint: 'Check the name of the host in the URL, and the DNS of this machine.',
  },
  {
    pattern: /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    reason: 'it does not answer',
    hint: 'Check host and port, and that no firewall is in between. With rediss:// the server has to expect TLS on that port.',
  },
  {
    pattern: /certificate|CERT|altnames/,
    reason: 'its certificate is not trusted',
    hint: 'Set NODE_EXTRA_CA_CERTS to the file of your certificate authority. The certificate must name the host of the URL.',
  },
  {
    pattern: /SSL|TLS|EPROTO/,
    reason: 'no TLS connection could be made',
    hint: 'With rediss:// the server has to expect TLS on that port. Without TLS the URL begins with redis://.',
  },
  {
    pattern: /EPIPE|ECONNRESET|Connection is closed|max number of clients/,
    reason: 'it closes the connection',
    hint: 'Check that its "maxclients" leaves three connections for each agent and each run. If it expects TLS, the URL begins with rediss://.',
  },
  {
    pattern: /RESP/,
    reason: 'what answers there is neither Redis nor Valkey',
    hint: 'Check host and port in the URL.',
  },
]

/** Describes why a queue could not be reached, for a message. */
export function describeRedisFailure(error: unknown): Pick<Failure, 'reason' | 'hint'> {
  const { code = '', message } =
    error instanceof Error ? (error as Error & { code?: string }) : { message: String(error) }
  const text = `${code} ${message}`
  return (
    failures.find(({ pattern }) => pattern.test(text)) ?? {
      reason: message,
      hint: 'Check that Redis or Valkey runs there, and its address.',
    }
  )
}

/** A refusal by Redis while agents and runs use it, as a problem. Any other error stays what it is. */
export function asQueueProblem(error: unknown): unknown {
  if (!(error instanceof Error && error.name === 'ReplyError')) return error
  const { reason, hint } = describeRedisFailure(error)
  return new Problem('agents-unavailable', `The queue cannot be used: ${reason}`, { hint })
}
