# docker build -f docker/cpu.Dockerfile -t prunus . && docker run --rm -v "$PWD:/data" prunus solve ta030
FROM python:3.13-slim
COPY . /src
RUN pip install --no-cache-dir '/src[plot,pandas]' && rm -rf /src \
    && useradd --create-home prunus
USER prunus
WORKDIR /data
# Compile once while the image is built. LLVM compiles for the processor of the builder; on
# another one prunus compiles anew at the first solve.
RUN prunus compile --devices cpu
ENTRYPOINT ["prunus"]
