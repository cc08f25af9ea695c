# Every process of the product in one image; docker-compose.yml says which one a container runs.
FROM node:22-bookworm-slim AS console
WORKDIR /src
COPY console/package.json console/package-lock.json console/.npmrc console/
ENV PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
RUN npm --prefix console ci --no-audit --no-fund
COPY api/openapi.json api/openapi.json
COPY console console
RUN npm --prefix console run build

FROM rust:1.95-bookworm AS programs
WORKDIR /src
COPY . .
ENV SQLX_OFFLINE=true
RUN cargo build --locked --release -p domain -p api -p jobs -p scheduler -p register-simulator --bins \
 && mkdir /out && cp target/release/migrate target/release/demo target/release/api target/release/jobs \
      target/release/scheduler target/release/register-simulator /out/

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates tzdata \
 && rm -rf /var/lib/apt/lists/* && useradd --system --create-home --home-dir /var/lib/toimik toimik
COPY --from=programs /out/ /usr/local/bin/
COPY --from=console /src/console/dist /usr/share/toimik/console
ENV TOIMIK_DATA=/var/lib/toimik CONSOLE_DIR=/usr/share/toimik/console HOST=0.0.0.0
USER toimik
VOLUME /var/lib/toimik
EXPOSE 8080
CMD ["api"]
