# The operator, the API server, the redirector, the vantage point and the command line in one image: which one runs is the first argument.
#
# Both base images can be replaced: BUILD_IMAGE needs Node 24 and npm, BASE_IMAGE needs Node 24 and nothing else.
ARG BUILD_IMAGE=docker.io/library/node:24-bookworm-slim
ARG BASE_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

FROM ${BUILD_IMAGE} AS packages
# Behind a proxy that signs anew: --build-arg NODE_EXTRA_CA_CERTS=FILE, and mount FILE.
ARG NODE_EXTRA_CA_CERTS
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# npm by its file, not by its name: this works without a shell.
RUN ["node", "/usr/local/lib/node_modules/npm/bin/npm-cli.js", "ci", "--omit=dev", "--omit=optional", "--ignore-scripts"]
# Node would strip the types at every start, and keep its compiler or a cache in memory: 7 MiB of each process.
COPY dev/pack/strip-types.mjs ./
COPY src ./src
RUN ["node", "--disable-warning=ExperimentalWarning", "strip-types.mjs", "src", "lib"]

FROM ${BASE_IMAGE}
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=packages /app/lib ./lib
COPY package.json ./
ENV NODE_ENV=production PATH=/nodejs/bin:/usr/local/bin:/usr/bin:/bin
USER 65532:65532
# A program that this Node.js with the entry point's flags cannot load fails here.
RUN ["node", "--heap-growing-percent=15", "-e", "for (const part of ['operator', 'api-server', 'redirector', 'vantage']) import(`/app/lib/${part}/run-${part}.js`)"]
# The commit, for the metric projectdomain_build_info: --build-arg REVISION=$(git rev-parse HEAD).
ARG REVISION=
ENV REVISION=${REVISION}
# Packing and unpacking leaves buffers of some kilobytes behind, between larger ones that zlib takes and gives back: together in one
# place they are twice as much memory as apart (docs/adr/0053-how-memory-is-taken.md).
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=16384 MALLOC_TRIM_THRESHOLD_=65536 MALLOC_TOP_PAD_=0
# A container of the chart may have another one, as arguments could not.
ENV NODE_OPTIONS=--max-semi-space-size=2
ENTRYPOINT ["node", "--heap-growing-percent=15"]
CMD ["lib/cli/main.js", "--help"]
