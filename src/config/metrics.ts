import {Secret} from '../security/secret.ts'
import type {Reader} from './reader.ts'

/** Where metrics are told, and to whom. */
export interface MetricsConfig {
  host: string
  /** Of their own; `undefined`: they are told at PORT, to who brings the token. */
  port: number | undefined
  token: Secret | undefined
}

/** Shorter ones are guessed. */
const LEAST_TOKEN = 16

/** Without a port of their own they are for who knows the token: at PORT anybody may come by. */
export function readMetrics(
  read: Reader,
  http: {host: string; port: number},
): MetricsConfig | undefined {
  const isOwn = read.text('METRICS_PORT') !== undefined
  const token = readToken(read)
  const host = read.text('METRICS_HOST') ?? ''
  if (!isOwn && token === undefined) return undefined
  if (!isOwn) return {host, port: undefined, token}
  const port = read.number('METRICS_PORT', {min: 0, max: 65_535, whole: true})
  if (port !== 0 && port === http.port && isShared(host, http.host)) {
    read.problem(`METRICS_PORT must not be PORT, which is ${port}. Take another.`)
  }
  if (!/^(127(\.\d+){3}|localhost|::1)$/.test(host) && token === undefined) {
    read.warn(
      `METRICS_HOST is ${host}, and METRICS_TOKEN is not set: whoever reaches METRICS_PORT reads the metrics.`,
    )
  }
  return {host, port, token}
}

function isShared(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => ['0.0.0.0', '::'].includes(host))
}

/** A collector hears no secrets: it may stand in a network of one's own without TLS. */
export function readTraces(read: Reader): {endpoint: string} | undefined {
  const endpoint = read.text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (endpoint === undefined) return undefined
  const {protocol, username, password} = URL.canParse(endpoint)
    ? new URL(endpoint)
    : {protocol: '', username: '', password: ''}
  if (!['http:', 'https:'].includes(protocol) || username + password !== '') {
    read.problem(
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318, without a user. Give a key as OTEL_EXPORTER_OTLP_HEADERS.',
    )
  }
  return {endpoint: endpoint.replace(/(?<!\/)\/+$/, '')}
}

function readToken(read: Reader): Secret | undefined {
  const token = read.bare('METRICS_TOKEN')
  if (token === undefined) return undefined
  if (!/^[!-~]+$/.test(token) || token.length < LEAST_TOKEN) {
    read.problem(
      `METRICS_TOKEN must be at least ${LEAST_TOKEN} letters, digits and signs without spaces. Make one with: openssl rand -hex 24`,
    )
  }
  return new Secret(token)
}
