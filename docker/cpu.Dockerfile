# docker build -f docker/cpu.Dockerfile -t prunus . && docker run --rm -v "$PWD:/data" prunus solve ta030
FROM python:3.13-slim
COPY . /src
RUN apt-get update && apt-get install --yes --no-install-recommends g++ \
    && pip install --no-cache-dir '/src[plot,pandas]' && rm -rf /src \
    && apt-get purge --yes --auto-remove g++ && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home prunus
USER prunus
WORKDIR /data
ENTRYPOINT ["prunus"]
