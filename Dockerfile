# Two stages, so that npm and its cache stay out of the image that runs. There is no build step: Node runs src/ as it is.
FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No package that runs in production needs an install script: better-sqlite3 brings its binaries along, and the
# slim image has no compiler for the script that npm would run for it.
RUN npm ci --omit=dev --ignore-scripts

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production NODE_COMPILE_CACHE=/app/compiled DATABASE_URL=sqlite:/data/bosun.db HOST=0.0.0.0
RUN mkdir /data /app/compiled && chown node:node /data /app/compiled
COPY --from=dependencies /app/node_modules node_modules
COPY package.json ./
COPY migrations migrations
COPY src src
USER node
# What a start would compile, compiled once: a container has nowhere to keep it. Whatever will not run like this is compiled all the same.
RUN node --input-type=module --eval "import {globSync} from 'node:fs'; for (const file of globSync('src/{main,!(tools)/**/*}.ts')) await import('./' + file).catch(() => undefined); process.exit(0)" 2> /dev/null
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/livez`).then(({ok}) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/main.ts"]
