import {html, raw} from 'hono/html'
import type {Json} from './schemas.ts'
import {STYLE} from './style.ts'
import {toHtml} from './words.ts'

/** A part of the page: text of it is escaped already. */
type Html = ReturnType<typeof html>

interface Operation {
  id: string
  method: string
  path: string
  said: Json
}

/** The document for people: one page, which loads nothing. */
export function writePage(document: Json): Html {
  const {title, description} = document['info'] as {title: string; description: string}
  const {schemas, responses} = document['components'] as Record<string, Record<string, Json>>
  const tags = document['tags'] as {name: string; description?: string}[]
  const operations = operationsOf(document['paths'] as Record<string, Record<string, Json>>)
  const under = (tag: string): Operation[] =>
    operations.filter(({said}) => (said['tags'] as string[]).includes(tag))
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <nav>
          <a class="record" href="#top"><b>${title}</b></a>
          ${tags.map(({name}) => drawIndex(name, under(name)))}
          <a class="tag" href="#records">Records</a>
          ${Object.keys(schemas ?? {}).map((name) => html`<a class="record" href="#${name}">${name}</a>`)}
        </nav>
        <main id="top">
          <h1>${title}</h1>
          <p>
            As a file: <a href="openapi.yaml">openapi.yaml</a>,
            <a href="openapi.json">openapi.json</a>
          </p>
          ${toHtml(description)}
          ${tags.map(
            ({name, description: about}) =>
              html`<section>
                <h2 id="${toAnchor(name)}">${name}</h2>
                ${about === undefined ? '' : toHtml(about)}
                ${under(name).map((one) => drawOperation(one, responses ?? {}))}
              </section>`,
          )}
          <h2 id="records">Records, refusals and frames</h2>
          ${Object.entries(schemas ?? {}).map(([name, schema]) => drawRecord(name, schema))}
        </main>
      </body>
    </html>`
}

function operationsOf(paths: Readonly<Record<string, Record<string, Json>>>): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, said]) => {
      return {id: textOf(said['operationId']), method: method.toUpperCase(), path, said}
    }),
  )
}

function drawIndex(tag: string, operations: readonly Operation[]): Html {
  return html`<a class="tag" href="#${toAnchor(tag)}">${tag}</a> ${operations.map(
      ({id, method, path}) =>
        html`<a href="#${id}"><i class="${method}">${method}</i> ${toBreakable(path)}</a>`,
    )}`
}

/** It may go on in the next line before each of its slashes. */
function toBreakable(path: string): Html[] {
  return path.split(/(?=\/)/).map((part) => html`<wbr />${part}`)
}

function drawOperation({id, method, path, said}: Operation, responses: Record<string, Json>): Html {
  const parameters = said['parameters'] as Json[]
  const body = said['requestBody'] as Json | undefined
  const answers = Object.entries(said['responses'] as Record<string, Json>)
  const isChosen = said['x-chosen-path'] === true
  return html`<article id="${id}">
    <h3><i class="${method}">${method}</i> <code>${path}</code></h3>
    ${toHtml(textOf(said['description']))}
    ${isChosen ? html`<p class="chosen">The document names no path: this one is the embedded platform’s.</p>` : ''}
    ${parameters.length === 0 ? '' : drawTable(parameters.map(drawParameter))}
    ${
      body === undefined
        ? ''
        : html`<h4>Body</h4>
            ${drawSchema(schemaIn(body))}`
    }
    <h4>Answers</h4>
    ${drawTable(
      answers.map(([status, answer]) => drawAnswer(status, resolve(answer, responses))),
      'answers',
    )}
    <p class="without"><b>Without it:</b> ${toHtml(textOf(said['x-bosun-without']), true)}.</p>
  </article>`
}

function drawParameter({name, in: place, description, schema, required}: Json): Html {
  const says = description === undefined ? '' : toHtml(textOf(description), true)
  return html`<tr>
    <td><code>${name}</code>${required === true ? html`<b title="required">*</b>` : ''}</td>
    <td>${place}, ${drawType(schema as Json)}</td>
    <td>${says}</td>
  </tr>`
}

function drawAnswer(status: string, answer: Json): Html {
  const schema = schemaIn(answer)
  const events = Object.entries(eventsIn(answer))
  return html`<tr>
    <td><b>${status}</b></td>
    <td>
      ${
        events.length > 0
          ? html`events:
            ${events.map(([name, {$ref}]) => html`<a href="#${nameOf($ref)}">${name}</a> `)}`
          : schema === undefined
            ? ''
            : drawSchema(schema)
      }
    </td>
    <td>${toHtml(textOf(answer['description']), true)}</td>
  </tr>`
}

function drawRecord(name: string, schema: Json): Html {
  const needs = schema['x-bosun-needs'] as string[] | undefined
  const about = schema['description']
  return html`<article id="${name}">
    <h3><code>${name}</code></h3>
    ${about === undefined ? '' : toHtml(textOf(about))} ${drawSchema(schema)}
    ${
      needs === undefined
        ? ''
        : html`<p class="without"><b>Bosun cannot read one without</b> ${needs.join(', ')}.</p>`
    }
  </article>`
}

/** An object as a table of its fields, all else as a word. */
function drawSchema(schema: Json | undefined): Html {
  const properties = schema?.['properties'] as Record<string, Json> | undefined
  if (schema === undefined || properties === undefined) return html`${drawType(schema ?? {})}`
  const required = (schema['required'] ?? []) as string[]
  const rows = Object.entries(properties).map(
    ([name, field]) =>
      html`<tr>
        <td>
          <code>${name}</code>${required.includes(name) ? html`<b title="required">*</b>` : ''}
        </td>
        <td>${drawType(field)}</td>
        <td>
          ${field['description'] === undefined ? '' : toHtml(textOf(field['description']), true)}
        </td>
      </tr>`,
  )
  return rows.length === 0 ? html`<p>No fields.</p>` : drawTable(rows)
}

function drawTable(rows: readonly Html[], of = 'fields'): Html {
  return html`<table class="${of}">
    ${rows}
  </table>`
}

function drawType(schema: Json): Html {
  const {$ref, anyOf, enum: values, items, properties, type} = schema
  if (typeof $ref === 'string') return html`<a href="#${nameOf($ref)}">${nameOf($ref)}</a>`
  if (Array.isArray(anyOf)) {
    return html`${(anyOf as Json[]).map((one, at) => html`${at === 0 ? '' : ' or '}${drawType(one)}`)}`
  }
  if (Array.isArray(values)) return html`${values.map((one) => html`<code>${one}</code> `)}`
  if (schema['const'] !== undefined) return html`<code>${textOf(schema['const'])}</code>`
  if (items !== undefined) return html`list of ${drawType(items as Json)}`
  if (properties !== undefined) return drawSchema(schema)
  const kind = [type ?? 'anything'].flat().map(textOf).join(' or ')
  return html`${kind}${schema['format'] === undefined ? '' : html`, ${schema['format']}`}`
}

function resolve(answer: Json, responses: Record<string, Json>): Json {
  const {$ref} = answer
  return typeof $ref === 'string' ? (responses[nameOf($ref)] ?? answer) : answer
}

function contentIn(holder: Json): Json | undefined {
  return Object.values((holder['content'] ?? {}) as Record<string, Json>)[0]
}

function schemaIn(holder: Json): Json | undefined {
  return contentIn(holder)?.['schema'] as Json | undefined
}

function eventsIn(holder: Json): Record<string, Json> {
  return (contentIn(holder)?.['x-events'] ?? {}) as Record<string, Json>
}

function nameOf(reference: unknown): string {
  return String(reference).split('/').at(-1) ?? ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toAnchor(tag: string): string {
  return tag.replaceAll(' ', '-')
}
